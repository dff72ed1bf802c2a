import t from 'tap'
import { checkOnly } from '../../../src/schema/compile.js'
import { firstProblem } from '../../../src/schema/first-problem.js'
import type { JsonSchema } from '../../../src/schema/infer.js'

const first = (schema: JsonSchema, value: unknown) => firstProblem(checkOnly(schema)(value)!).problems[0]

t.test('a violation says by itself where it is and what would be right', async t => {
  const at = (path: string, rule: string, expected: string) => ({ field: path, rule, expected })
  t.strictSame(first({ properties: { a: { items: { type: 'string' } } } }, { a: ['x', 5] }), at('a[1]', 'type', 'a string'))
  t.strictSame(first({ properties: { 'a/b~c': { type: ['string', 'null'] } } }, { 'a/b~c': 5 }), at('["a/b~c"]', 'type', 'a string or null'))
  t.strictSame(first({ required: ['a'] }, {}), at('a', 'required', 'a value'))
  t.strictSame(first({ properties: { a: { additionalProperties: false } } }, { a: { b: 1 } }), at('a.b', 'additionalProperties', 'only declared fields'))
  t.strictSame(first({ unevaluatedProperties: false }, { b: 1 }), at('b', 'additionalProperties', 'only declared fields'))
  t.strictSame(first({ enum: ['a', 'b'] }, 'c'), at('', 'enum', 'one of "a", "b"'))
  t.strictSame(first({ const: 'a' }, 'c'), at('', 'const', '"a"'))
  t.strictSame(first({ minimum: 3 }, 1), at('', 'minimum', 'a number of at least 3'))
  t.strictSame(first({ multipleOf: 5 }, 1), at('', 'multipleOf', 'a number that is a multiple of 5'))
  t.strictSame(first({ maxLength: 3 }, 'abcd'), at('', 'maxLength', 'a string of at most 3 characters'))
  t.strictSame(first({ pattern: '^a$' }, 'b'), at('', 'pattern', 'a string that matches ^a$'))
  t.strictSame(first({ format: 'date' }, 'b'), at('', 'format', 'a date like "2026-03-31"'))
  t.strictSame(first({ type: 'array', uniqueItems: true }, [1, 1]), { ...at('', 'uniqueItems', 'an array, none of them twice'), received: 'an array whose items 0 and 1 are equal' })
  t.strictSame(first({ maxProperties: 0 }, { a: 1 }), at('', 'maxProperties', 'an object of at most 0 fields'))
})

t.test('a rule that is not known here is told in the validator\'s words', async t => {
  t.match(first({ not: {} }, 5), { rule: 'not', expected: 'must NOT be valid' })
  t.equal(firstProblem({ keyword: 'even', instancePath: '', schemaPath: '', params: {} }).problems[0]!.expected, 'a value that satisfies even')
})

t.test('nothing is claimed about the rest', async t => {
  t.match(firstProblem(checkOnly({ required: ['a'] })({})!), { total: 1, complete: false, onlyMissing: false })
})
