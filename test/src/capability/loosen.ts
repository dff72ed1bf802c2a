import t from 'tap'
import { isPortable, loosen, type Vocabulary } from '../../../src/capability/loosen.js'

const few: Vocabulary = { keywords: new Set(['enum', 'format', 'pattern']), formats: new Set(['date']), listed: new Set(['string']), names: /^[a-z]+$/ }

t.test('what a vendor has no word for is said beside the field', async t => {
  t.strictSame(loosen({ type: 'string', minLength: 1, description: 'A word.', default: 'x' }, few), { type: 'string', description: 'A word. At least 1 character. Default "x"' })
  t.strictSame(loosen({ type: 'string', format: 'date', pattern: '^a' }, few), { type: 'string', format: 'date', pattern: '^a' })
  t.strictSame(loosen({ type: 'string', format: 'time' }, few), { type: 'string', description: 'A time with its zone like "14:30:00Z"' })
  t.strictSame(loosen({ type: 'string', pattern: '^(?!a)' }, few), { type: 'string', description: 'Matches the regular expression ^(?!a)' })
  t.strictSame(loosen({ type: 'string', enum: ['a'] }, few), { type: 'string', enum: ['a'] })
  t.strictSame(loosen({ type: 'boolean', enum: [true] }, few), { type: 'boolean', description: 'Always true' })
})

t.test('it is said wherever it stands in the schema', async t => {
  const [long, said] = [{ type: 'string', maxLength: 2 }, { type: 'string', description: 'At most 2 characters' }]
  t.strictSame(loosen({ type: 'object', properties: { a: { type: 'array', items: long }, b: { anyOf: [long, { type: 'null' }] } }, additionalProperties: long, minProperties: 1 }, few), {
    type: 'object', properties: { a: { type: 'array', items: said }, b: { anyOf: [said, { type: 'null' }] } }, additionalProperties: said, description: 'At least 1 field'
  })
  t.strictSame(loosen({ type: 'object', properties: {}, additionalProperties: false }, few), { type: 'object', properties: {}, additionalProperties: false })
})

t.test('a field whose name a vendor refuses is let in unnamed, and told in words', async t => {
  const number = { type: 'number' }
  t.strictSame(loosen({ type: 'object', properties: { a: number, 'first name': number, b2: number }, required: ['a', 'b2'], additionalProperties: false }, few), {
    type: 'object',
    properties: { a: number },
    required: ['a'],
    additionalProperties: true,
    description: 'Checked too, as JSON Schema: {"properties":{"first name":{"type":"number"},"b2":{"type":"number"}},"required":["b2"]}'
  })
  t.notOk('required' in loosen({ type: 'object', properties: { B: number }, required: ['B'] }, few))
})

t.test('a pattern is passed on where every engine reads it alike', async t => {
  for (const pattern of ['^[A-Z]{3}$', '^(?:a|b)\\d+\\.\\w*$', '\\\\p', '^\\(\\?$']) t.ok(isPortable(pattern), pattern)
  for (const pattern of ['^(?!a)', '(?<=a)b', '(?<name>a)', '\\p{L}', '\\u{1F600}', '(a)\\1', '\\k<a>', '\\cA']) t.notOk(isPortable(pattern), pattern)
})

t.test('a field may be named like a keyword', async t => {
  const names = ['pattern', 'enum', 'examples', 'anyof', 'properties', 'items', 'type', 'required', 'default', 'format', 'minimum', 'description']
  const schema = { type: 'object', properties: Object.fromEntries(names.map(name => [name, { type: 'string' }])), required: names, additionalProperties: false }
  t.strictSame(loosen(schema, few), schema)
})
