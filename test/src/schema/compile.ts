import t from 'tap'
import { checkOnly, checkWithDefaults, formats } from '../../../src/schema/compile.js'

t.test('nothing is coerced, and NaN is no number', async t => {
  const check = checkWithDefaults({ type: 'object', properties: { n: { type: 'number' }, b: { type: 'boolean' }, s: { type: 'string' }, a: { type: 'array' } } })
  for (const wrong of [{ n: null }, { n: '5' }, { n: NaN }, { n: Infinity }, { b: 1 }, { s: null }, { a: 'x' }]) t.ok(check(wrong))
})

t.test('defaults are filled in only where that is asked for', async t => {
  const schema = { type: 'object', properties: { units: { type: 'string', default: 'metric' } }, required: ['units'] }
  const value = {}
  t.equal(checkOnly(schema)(value)?.keyword, 'required')
  t.equal(checkWithDefaults(schema)(value), undefined)
  t.strictSame(value, { units: 'metric' })
})

t.test('an inherited field is no field', async t => {
  t.ok(checkOnly({ type: 'object', required: ['toString'] })({}))
})

t.test('a pattern never runs over a text that is too long for it', async t => {
  const check = checkOnly({ type: 'string', pattern: '^(a+)+$', maxLength: 5 })
  t.equal(check(`${'a'.repeat(60)}!`)?.keyword, 'maxLength')
})

t.test('money is a multiple of a cent', async t => {
  t.equal(checkOnly({ multipleOf: 0.01 })(19.99), undefined)
})

t.test('the formats that are checked have names', async t => {
  t.ok(['date', 'date-time', 'email', 'uuid', 'uri'].every(name => formats.includes(name)))
})

t.test('a schema may refer to itself, and schemas do not mix', async t => {
  const list = (type: string) => checkOnly({ type: 'object', properties: { next: { $ref: '#' }, value: { $ref: '#/$defs/value' } }, $defs: { value: { type } } })
  const texts = list('string')
  const numbers = list('number')
  t.equal(texts({ next: { value: 'a' } }), undefined)
  t.ok(texts({ next: { value: 1 } }))
  t.equal(numbers({ next: { value: 1 } }), undefined)
  t.ok(numbers({ next: { value: 'a' } }))
})

t.test('a schema that nobody has read is looked through before its first check', async t => {
  t.throws(() => checkOnly({ required: 'a' })({}), /required/)
  t.throws(() => checkWithDefaults({ properties: { a: 5 } })({}), { message: 'schema is invalid: data/properties/a must be object,boolean' })
  t.doesNotThrow(() => checkOnly({ properties: { a: 5 } }, { isLinted: true })({}))
})
