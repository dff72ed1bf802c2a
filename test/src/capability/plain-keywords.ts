import t from 'tap'
import { kept, leftOver, omit, pick } from '../../../src/capability/plain-keywords.js'

t.test('a schema keeps the rules about values of its type, the type first', async t => {
  const rules = { minLength: 1, minimum: 2, minItems: 3, minProperties: 4, default: 'x', not: {} }
  t.strictSame(Object.entries(kept({ ...rules, type: 'string' })), [['type', 'string'], ['minLength', 1], ['default', 'x']])
  t.strictSame(kept({ ...rules, type: ['integer', 'null'] }), { type: ['integer', 'null'], minimum: 2, default: 'x' })
  t.strictSame(kept({ ...rules, type: 'boolean' }), { type: 'boolean', default: 'x' })
  t.strictSame(kept(rules), { default: 'x' })
})

t.test('the rest is said in words, a condition as a whole', async t => {
  const json = (schema: object) => `Checked too, as JSON Schema: ${JSON.stringify(schema)}`
  t.strictSame(leftOver({ type: 'string', minLength: 1, minimum: 2, items: {}, description: 'x' }), [], 'of another type there is nothing to say')
  t.strictSame(leftOver({ minLength: 1, items: {} }), ['At least 1 character', json({ items: {} })])
  t.strictSame(leftOver({ type: 'array', contains: {}, minContains: 2, not: {} }), [json({ contains: {}, minContains: 2 }), json({ not: {} })])
  t.strictSame(leftOver({ type: 'object', if: {}, else: false }), [json({ if: {}, else: false })])
  t.strictSame(leftOver({ type: 'object', if: {} }), [], 'a condition without consequences')
  t.strictSame(leftOver({ type: 'object', then: {}, maxContains: 1 }), [], 'consequences without a condition')
})

t.test('keywords are picked and left out', async t => {
  t.strictSame(pick({ a: 1, b: 2 }, ['a', 'c']), { a: 1 })
  t.strictSame(omit({ a: 1, b: 2 }, ['a', 'c']), { b: 2 })
})
