import t from 'tap'
import type { JsonSchema } from '../../../src/schema/infer.js'
import { chooseBranch, isMarkedOther, literals, typesOf } from '../../../src/schema/unions.js'

const card = { type: 'object', properties: { kind: { const: 'card' }, number: { type: 'string' } } }
const iban = { type: 'object', properties: { kind: { const: 'iban' }, iban: { type: 'string' } } }
const text = { type: 'string' }
const number = { type: 'number' }
const none = (): number => { throw new Error('not asked') }

const choose = (union: unknown[], value: unknown, count: (branch: JsonSchema) => number = none, root: JsonSchema = {}) => chooseBranch(union, root, value, count)

t.test('the values of a literal, of an enum and of a union of such are known', async t => {
  const values = (schema: JsonSchema) => literals(schema, schema)
  t.strictSame(values({ const: 'a' }), ['a'])
  t.strictSame(values({ enum: ['a', null] }), ['a', null])
  t.strictSame(values({ type: 'null' }), [null])
  t.strictSame(values({ anyOf: [{ const: 'a' }, { oneOf: [{ const: 'b' }, { const: 'a' }] }] }), ['a', 'b'])
  t.strictSame(values({ $ref: '#/$defs/A', $defs: { A: { enum: [1] } } }), [1])
  for (const schema of [{}, { const: { a: 1 } }, { enum: [[1]] }, { anyOf: [] }, { anyOf: [{ const: 'a' }, { type: 'string' }] }, { anyOf: [true] }, { anyOf: [{ $ref: '#' }] }]) t.equal(values(schema), undefined)
})

t.test('the types a schema accepts are known', async t => {
  const types = (schema: JsonSchema) => typesOf(schema, schema)
  t.strictSame(types({ enum: ['a', 1, 'b'] }), ['string', 'number'])
  t.strictSame(types({ type: 'string', nullable: true }), ['string', 'null'])
  t.strictSame(types({ type: ['integer', 'null'] }), ['integer', 'null'])
  t.strictSame(types({ oneOf: [text, number, text] }), ['string', 'number'])
  t.strictSame(types({ properties: {} }), ['object'])
  t.strictSame(types({ allOf: [{ minLength: 1 }, text] }), ['string'])
  for (const schema of [{}, { allOf: [{}] }, { anyOf: [true] }, { anyOf: [{ $ref: '#' }] }, { allOf: [{ $ref: '#' }] }]) t.equal(types(schema).length, 6)
})

t.test('an object that lacks fields of each branch, and suits none better, is blamed by all of them', async t => {
  const asking = (...required: string[]) => ({ type: 'object', required })
  const [a, b] = [asking('a'), asking('b')]
  t.strictSame(choose([a, b], {}, () => 1), { either: [a, b], lacks: true })
  t.strictSame(choose([a, b], {}, branch => branch === a ? 2 : 1), { branch: b })
  t.strictSame(choose([a, b], { a: 1 }, () => 1), { branch: a }, 'one lacks nothing')
  t.strictSame(choose([a, asking('a')], {}, () => 1), { branch: a }, 'all ask for the same')
  t.strictSame(choose([...'abcde'].map(field => asking(field)), {}, () => 1), { branch: a }, 'too many to name')
})

t.test('a value is blamed by the branch of its type', async t => {
  t.strictSame(choose([text, card], { a: 1 }), { branch: card })
  t.strictSame(choose([{ type: 'integer' }, text], 5.5), { branch: { type: 'integer' } })
  t.strictSame(choose([text, number], true), { either: [text, number] })
  t.strictSame(choose([text, { type: 'string', format: 'date' }], 'x'), { either: [text, { type: 'string', format: 'date' }] })
})

t.test('an object is blamed by the branch whose literal matches', async t => {
  t.strictSame(choose([card, iban], { kind: 'iban' }), { branch: iban })
  t.strictSame(choose([card, { anyOf: [iban, text] }], { kind: 'iban' }), { branch: iban }, 'in a union in a union too')
  const parts = { allOf: [{ $ref: '#/$defs/iban' }, { properties: { bic: {} } }] }
  t.strictSame(choose([card, parts], { kind: 'iban' }, none, { $defs: { iban } }), { branch: parts }, 'and in an object of parts')
})

t.test('where no literal matches, the field that tells the branches apart is blamed', async t => {
  t.strictSame(choose([card, iban], { kind: 'cash' }), { field: 'kind', allowed: ['card', 'iban'] })
  t.strictSame(choose([card, iban], {}), { field: 'kind', allowed: ['card', 'iban'] })
  t.strictSame(choose([card, iban], { number: '1', iban: '1' }), { field: 'kind', allowed: ['card', 'iban'] })
})

t.test('without that field, a field that only one branch has leaves no doubt', async t => {
  t.strictSame(choose([card, iban], { iban: 'DE' }), { branch: iban })
})

t.test('a field with the same literal in all branches tells nothing apart', async t => {
  const versioned = (kind: string) => ({ type: 'object', properties: { version: { const: 1 }, kind: { const: kind } } })
  t.strictSame(choose([versioned('a'), versioned('b')], { version: 1, kind: 'c' }), { field: 'kind', allowed: ['a', 'b'] })
})

t.test('one that tells some branches apart is better than none', async t => {
  const paper = { type: 'object', properties: { kind: { enum: ['a4', 'a5'] } } }
  const card = { type: 'object', properties: { kind: { enum: ['a5', 'a6'] } } }
  t.strictSame(choose([paper, card], { kind: 'a5' }, branch => branch === card ? 1 : 2), { branch: card })
})

t.test('without anything that tells branches apart, the fewest problems win', async t => {
  const a = { type: 'object', properties: { a: {} } }
  const b = { type: 'object', properties: { b: {} } }
  const mode = { type: 'object', properties: { mode: { const: 'x' } } }
  t.strictSame(choose([a, b], { b: 1 }, branch => branch === b ? 0 : 1), { branch: b })
  t.strictSame(choose([{ type: 'object' }, b], { b: 1 }, branch => branch === b ? 0 : 1), { branch: b })
  t.strictSame(choose([mode, b], { b: 1 }, branch => branch === b ? 0 : 1), { branch: b })
  t.strictSame(choose([{ type: 'array', items: text }, { type: 'array', items: number }], [1, 'a'], () => 1), { branch: { type: 'array', items: text } })
})

t.test('a union that holds itself has an end', async t => {
  t.match(choose([{ $ref: '#/$defs/loop' }], 5, () => 1, { $defs: { loop: { anyOf: [{ $ref: '#/$defs/loop' }] } } }), { branch: Object })
})

t.test('a wrong literal shows that an object is another branch\'s', async t => {
  t.ok(isMarkedOther(card, {}, { kind: 'iban' }))
  t.ok(isMarkedOther(card, {}, { kind: 'crad' }))
  for (const value of [{ kind: 'card' }, {}, { kind: undefined }, { number: 5 }]) t.notOk(isMarkedOther(card, {}, value))
})
