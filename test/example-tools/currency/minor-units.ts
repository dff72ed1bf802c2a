import t from 'tap'
import { decimalsOf } from '../../../example-tools/currency/minor-units.js'

t.test('an amount has the decimals ISO 4217 gives its currency', async t => {
  for (const code of ['JPY', 'KRW', 'ISK', 'CLP', 'VND']) t.equal(decimalsOf(code), 0, code)
  for (const code of ['USD', 'EUR', 'HUF', 'IDR', 'QQQ']) t.equal(decimalsOf(code), 2, code)
  for (const code of ['BHD', 'KWD', 'TND']) t.equal(decimalsOf(code), 3, code)
  t.equal(decimalsOf('CLF'), 4)
})
