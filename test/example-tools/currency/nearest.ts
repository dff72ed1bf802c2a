import t from 'tap'
import { currencies } from '../../../example-tools/providers/rates.js'
import { nearestCodes } from '../../../example-tools/currency/nearest.js'

t.test('what people write leads to the code they mean', async t => {
  for (const [written, code] of [
    ['US Dollar', 'USD'], ['us dollars', 'USD'], ['dollar', 'USD'], ['USDD', 'USD'], ['USS', 'USD'], ['SUD', 'USD'], ['$', 'USD'],
    ['EURO', 'EUR'], ['Euros', 'EUR'], ['EUR (Euro)', 'EUR'], ['€', 'EUR'], ['GPB', 'GBP'], ['Pound Sterling', 'GBP'], ['yen', 'JPY'],
    ['Swiss francs', 'CHF'], ['zloty', 'PLN'], ['Icelandic Krona', 'ISK'], ['NZ Dollar', 'NZD'], ['Canadian Dolar', 'CAD'], ['RMB', 'CNY']
  ] as const) t.equal(nearestCodes(written, currencies)[0], code, written)
})

t.test('of equally near codes the most traded come first', async t => {
  t.same(nearestCodes('dollar', currencies).slice(0, 4), ['USD', 'AUD', 'CAD', 'HKD'])
})

t.test('where nothing is near, nothing is named', async t => {
  t.same(nearestCodes('QQQ', currencies), [])
  t.same(nearestCodes('', currencies), [])
  t.same(nearestCodes('?', currencies), [])
})
