import t from 'tap'
import { convert } from '../../../example-tools/currency/money.js'

t.test('decimals are multiplied as decimals', async t => {
  t.same(convert(0.1, 3, 2), { rounded: 0.3, unrounded: 0.3 })
  t.same(convert(1.005, 100, 2), { rounded: 100.5, unrounded: 100.5 })
  t.same(convert(0.1 + 0.2, 1, 2), { rounded: 0.3, unrounded: 0.30000000000000004 }, 'a sum of another is taken as it came')
})

t.test('half goes to even', async t => {
  t.equal(convert(0.125, 1, 2)?.rounded, 0.12)
  t.equal(convert(0.135, 1, 2)?.rounded, 0.14)
  t.equal(convert(2.675, 1, 2)?.rounded, 2.68, 'binary arithmetic makes it 2.67')
  t.equal(convert(2.5, 1, 0)?.rounded, 2)
  t.equal(convert(3.5, 1, 0)?.rounded, 4)
})

t.test('less than half of the smallest unit is 0', async t => {
  t.same(convert(0.001, 0.00634, 2), { rounded: 0, unrounded: 0.00000634 })
  t.equal(convert(5e-324, 1, 2)?.rounded, 0)
})

t.test('what a JSON number cannot say to its last digit is not said', async t => {
  t.equal(convert(1e21, 1.1327, 2)?.rounded, 1.1327e21)
  t.equal(convert(1e308, 178.63, 0), undefined)
  t.equal(convert(9007199254740991, 1.0001, 2), undefined)
  t.equal(convert(123456789012.34, 1.1327, 2)?.rounded, 139839504914.28)
})
