import t from 'tap'
import { describeReceived, describeValue, itemPath, plural, pointsIn, propertyPath, quote, typeOf, withArticle } from '../../../src/schema/describe-value.js'

t.test('a value is told by its type, and itself where it is short', async t => {
  for (const [value, text] of [
    [null, 'null'], [undefined, 'undefined'], [true, 'the boolean true'], [-5, 'the number -5'], [1e300, 'the number 1e+300'], [Infinity, 'a number that is not finite'],
    ['', 'an empty string'], [' 5', 'the string " 5"'], ['say "hi"', 'the string "say \\"hi\\""'], ['x'.repeat(41), 'a string of 41 characters'], ['😀'.repeat(30), 'a string of 30 characters'],
    [[], 'an empty array'], [[1], 'an array of 1 item'], [[1, 2], 'an array of 2 items'], [{ a: 1 }, 'an object']
  ] as const) t.equal(describeValue(value, false), text)
})

t.test('of a secret only the type is told', async t => {
  for (const [value, text] of [['hunter2', 'a string'], [5, 'a number'], [true, 'a boolean'], [['a'], 'an array'], [{ a: 1 }, 'an object'], [null, 'null'], ['', 'a string']] as const) t.equal(describeValue(value, true), text)
})

t.test('what looks like a secret is not echoed in any field', async t => {
  for (const secret of ['sk-live-abcdefgh', 'ghp_0123456789abcdef', 'eyJhbGciOiJIUzI1NiJ9', 'Bearer abcdefgh', 'https://ada:pw@example.com/', 'token=abcdefgh', 'a1b2c3d4e5f6a7b8c9d0e1f2']) {
    t.match(describeValue(secret, false), /^a string of \d+ characters$/, secret)
  }
  for (const word of ['London, United Kingdom', '2026-03-31T14:30:00Z', 'a-team-with-a-very-long-name', '12345678901234567890']) t.equal(describeValue(word, false), `the string "${word}"`)
})

t.test('the name of a field and its schema make a secret', async t => {
  t.equal(describeReceived('hunter2', 'user.password', undefined), 'a string')
  t.equal(describeReceived('4111', 'number', { 'x-candor-sensitive': true }), 'a string')
  t.equal(describeReceived('Oslo', 'city', {}), 'the string "Oslo"')
})

t.test('characters that cannot be seen are written out', async t => {
  t.equal(quote('a\u200bb\u202e\n\u0085'), '"a\\u200bb\\u202e\\n\\u0085"')
  t.equal(quote('\u{e0001}'), '"\\udb40\\udc01"')
  t.equal(quote(undefined), 'undefined')
})

t.test('types and articles', async t => {
  t.strictSame([null, [], {}, 'a', 1, true, undefined].map(typeOf), ['null', 'array', 'object', 'string', 'number', 'boolean', 'undefined'])
  t.strictSame(['integer', 'string', 'null', 'undefined'].map(withArticle), ['an integer', 'a string', 'null', 'undefined'])
  t.strictSame([plural(1, 'item'), plural(0, 'item')], ['1 item', '0 items'])
  t.equal(pointsIn('a😀'), 2)
})

t.test('a path is written as a program reads it', async t => {
  t.equal(propertyPath('', 'days'), 'days')
  t.equal(propertyPath('days[3]', 'from-to'), 'days[3].from-to')
  t.equal(propertyPath('days', 'two words'), 'days["two words"]')
  t.equal(propertyPath('', '__proto__'), '__proto__')
  t.equal(propertyPath('', ''), '[""]')
  t.equal(propertyPath('', 'ä'.repeat(100)), `["${'ä'.repeat(63)}…"]`)
  t.equal(itemPath('days', 3), 'days[3]')
})
