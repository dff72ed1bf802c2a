import t from 'tap'
import { brokenRule } from '../../../src/schema/broken-rules.js'
import type { JsonSchema } from '../../../src/schema/infer.js'

const cases: Array<[schema: JsonSchema, value: unknown, broken: string | undefined]> = [
  [{ type: 'string' }, 'a', undefined],
  [{ type: 'string' }, 5, 'type'],
  [{ type: 'integer' }, 5, undefined],
  [{ type: 'integer' }, 5.5, 'type'],
  [{ type: ['string', 'null'] }, null, undefined],
  [{ type: 'string', nullable: true }, null, undefined],
  [{ type: 'number' }, Infinity, 'type'],
  [{}, Infinity, undefined],
  [{ const: { a: 1 } }, { a: 1 }, undefined],
  [{ const: { a: 1 } }, { a: 2 }, 'const'],
  [{ const: 'a' }, 'b', 'const'],
  [{ enum: ['a', ['b']] }, ['b'], undefined],
  [{ enum: ['a', ['b']] }, 'b', 'enum'],
  [{ minimum: 1 }, 1, undefined],
  [{ minimum: 1 }, 0, 'minimum'],
  [{ exclusiveMinimum: 1 }, 1, 'exclusiveMinimum'],
  [{ maximum: 1 }, 2, 'maximum'],
  [{ exclusiveMaximum: 1 }, 1, 'exclusiveMaximum'],
  [{ multipleOf: 0.01 }, 19.99, undefined],
  [{ multipleOf: 0.01 }, 1234567.89, undefined],
  [{ multipleOf: 0.01 }, 19.999, 'multipleOf'],
  [{ type: 'number', format: 'int32' }, 2 ** 40, 'format'],
  [{ maxLength: 2 }, '😀😀', undefined],
  [{ maxLength: 2 }, 'abc', 'maxLength'],
  [{ minLength: 2 }, '😀', 'minLength'],
  [{ pattern: '^a+$' }, 'aa', undefined],
  [{ pattern: '^a+$' }, 'b', 'pattern'],
  [{ format: 'date' }, '2026-02-30', 'format'],
  [{ format: 'date' }, '2026-02-28', undefined],
  [{ minItems: 1 }, [], 'minItems'],
  [{ maxItems: 1 }, [1, 2], 'maxItems'],
  [{ uniqueItems: true }, [1, 1], 'uniqueItems'],
  [{ uniqueItems: true }, [1, 2], undefined],
  [{ uniqueItems: false }, [1, 1], undefined],
  [{ minProperties: 1 }, {}, 'minProperties'],
  [{ maxProperties: 1 }, { a: 1, b: 2 }, 'maxProperties'],
  [{ minLength: 5, minItems: 5, minimum: 5 }, true, undefined]
]

t.test('the first broken rule of a schema is named', async t => {
  for (const [schema, value, broken] of cases) t.equal(brokenRule(schema, value), broken, JSON.stringify([schema, value]))
})

t.test('a pattern does not run over a text that is too long for it', async t => {
  t.equal(brokenRule({ maxLength: 10, pattern: '^(a+)+$' }, 'a'.repeat(40) + '!'), 'maxLength')
})

t.test('a value known to be listed is not looked up again', async t => {
  t.equal(brokenRule({ enum: ['a'], type: 'string' }, 'b', true), undefined)
  t.equal(brokenRule({ const: 'a', minLength: 2 }, 'b', true), 'minLength')
})
