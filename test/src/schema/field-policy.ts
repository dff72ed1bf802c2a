import t from 'tap'
import { fieldPolicy, hasUncorrectable, holdsSecret, ordinary, policyAt } from '../../../src/schema/field-policy.js'
import type { JsonSchema } from '../../../src/schema/infer.js'

const policy = (schema: JsonSchema, outer = ordinary) => fieldPolicy(schema, schema, outer)

t.test('a field without our keywords is ordinary, or as what it lies in', async t => {
  t.equal(policy({ type: 'string' }), ordinary)
  const outer = { sensitive: true, uncorrectable: true, code: 'X' }
  t.equal(policy({}, outer), outer)
})

t.test('our keywords count wherever they stand on the value', async t => {
  t.strictSame(policy({ 'x-candor-sensitive': true, 'x-candor-correctable': false, 'x-candor-code': 'BAD_AMOUNT' }), { sensitive: true, uncorrectable: true, code: 'BAD_AMOUNT' })
  t.ok(policy({ anyOf: [{ type: 'null' }, { 'x-candor-sensitive': true }] }).sensitive)
  t.ok(policy({ allOf: [{ $ref: '#/$defs/A' }], $defs: { A: { 'x-candor-correctable': false } } }).uncorrectable)
  t.ok(policy({ anyOf: [{ $ref: '#' }], 'x-candor-sensitive': true }).sensitive)
})

t.test('what is secret stays so further in; of the other keywords the inner one counts', async t => {
  const outer = { sensitive: true, uncorrectable: true, code: 'OUTER' }
  t.strictSame(policy({ 'x-candor-sensitive': false, 'x-candor-correctable': true, 'x-candor-code': 'INNER' }, outer), { sensitive: true, uncorrectable: false, code: 'INNER' })
  t.strictSame(policy({ 'x-candor-sensitive': true }, { ...outer, sensitive: false }), outer)
})

t.test('the policy of a field is found by its path', async t => {
  const secret = { 'x-candor-sensitive': true }
  const schema = { properties: { list: { type: 'array', items: { properties: { card: secret, 'two words': secret, open: {} } } }, ref: { $ref: '#/$defs/A' } }, $defs: { A: secret } }
  t.ok(policyAt(schema, 'list[3].card').sensitive)
  t.ok(policyAt(schema, 'list[0]["two words"]').sensitive)
  t.ok(policyAt(schema, 'ref.deeper').sensitive)
  for (const path of ['', 'list', 'list[0].open', 'list[0]["bad \\x"]', 'nowhere.card']) t.equal(policyAt(schema, path), ordinary, path)
})

t.test('a schema knows whether it has a field that no model may correct', async t => {
  t.ok(hasUncorrectable({ 'x-candor-correctable': false }))
  t.ok(hasUncorrectable({ properties: { a: { items: { 'x-candor-correctable': false } } } }))
  t.notOk(hasUncorrectable({ properties: { a: { 'x-candor-correctable': true } } }))
})

t.test('a schema knows whether a value of it holds a secret', async t => {
  const holds = (schema: JsonSchema) => holdsSecret(schema, schema)
  t.ok(holds({ 'x-candor-sensitive': true }))
  t.ok(holds({ properties: { a: { items: { $ref: '#/$defs/A' } } }, $defs: { A: { 'x-candor-sensitive': true } } }))
  t.ok(holds({ properties: { password: {} } }))
  t.notOk(holds({ properties: { a: { $ref: '#' }, b: {} }, $defs: { unused: { 'x-candor-sensitive': true } } }))
})
