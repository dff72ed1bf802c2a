import t from 'tap'
import { describeOption } from '../../../src/schema/describe-option.js'

t.test('an option that is wrong is shown, but for the words of a text', async t => {
  const cases: Array<[unknown, string]> = [
    [-1, '-1'], [NaN, 'NaN'], [2n, '2'], [true, 'true'], [null, 'null'], [undefined, 'undefined'],
    ['SECRET', 'a string'], ['', 'an empty string'], [['SECRET'], 'an array'], [{ key: 'SECRET' }, 'an object'], [() => 'SECRET', 'a function'], [Symbol('SECRET'), 'a symbol']
  ]
  for (const [value, text] of cases) t.equal(describeOption(value), text)
})
