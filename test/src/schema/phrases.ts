import t from 'tap'
import type { JsonSchema } from '../../../src/schema/infer.js'
import { eitherOf, exactInteger, expectationOf } from '../../../src/schema/phrases.js'
import { expectationText } from '../../../src/schema/rules.js'

const branches = (...types: string[]): JsonSchema[] => types.map(type => ({ type }))
const names = Array.from({ length: 25 }, (_, index) => `f${index}`)

const cases: Array<[schema: JsonSchema, text: string]> = [
  [{ type: 'string' }, 'a string'],
  [{ type: 'string', minLength: 1 }, 'a non-empty string'],
  [{ type: 'string', minLength: 1, maxLength: 200, examples: ['Oslo, Norway'] }, 'a string of 1 to 200 characters like "Oslo, Norway"'],
  [{ type: 'string', minLength: 3 }, 'a string of at least 3 characters'],
  [{ type: 'string', maxLength: 1 }, 'a string of at most 1 character'],
  [{ type: 'string', minLength: 2, maxLength: 2 }, 'a string of 2 characters'],
  [{ type: 'string', examples: [5] }, 'a string'],
  [{ type: 'string', examples: ['x'.repeat(61)] }, 'a string'],
  [{ type: 'string', format: 'date' }, 'a date like "2026-03-31"'],
  [{ type: 'string', format: 'email', maxLength: 50 }, 'an e-mail address like "name@example.com", a string of at most 50 characters'],
  [{ type: 'string', pattern: '^[A-Z]{3}$', description: 'IATA code of the airport.', examples: ['OSL'] }, 'a string that matches ^[A-Z]{3}$ like "OSL" (IATA code of the airport)'],
  [{ type: 'string', pattern: '^a+$', maxLength: 9 }, 'a string of at most 9 characters that matches ^a+$'],
  [{ type: 'number' }, 'a number'],
  [{ type: 'number', minimum: -90, maximum: 90 }, 'a number from -90 to 90'],
  [{ type: 'integer', minimum: 1 }, 'an integer of at least 1'],
  [{ type: 'integer', maximum: 9 }, 'an integer of at most 9'],
  [{ type: 'integer', minimum: 5, maximum: 5 }, 'an integer equal to 5'],
  [{ type: 'number', exclusiveMinimum: 0, maximum: 100, multipleOf: 0.01 }, 'a number above 0 and at most 100, a multiple of 0.01'],
  [{ type: 'number', minimum: 0, exclusiveMaximum: 1 }, 'a number of at least 0 and below 1'],
  [{ type: 'number', multipleOf: 5 }, 'a number that is a multiple of 5'],
  [{ type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }, 'an integer'],
  [{ type: 'boolean' }, 'a boolean'],
  [{ type: 'null' }, 'null'],
  [{ type: ['string', 'null'] }, 'a string or null'],
  [{ type: 'string', nullable: true }, 'a string or null'],
  [{ type: 'array' }, 'an array'],
  [{ type: 'array', items: { type: 'string' } }, 'an array of strings'],
  [{ type: 'array', items: { type: 'object' }, minItems: 1, maxItems: 7 }, 'an array of 1 to 7 objects'],
  [{ type: 'array', items: { type: 'integer' }, minItems: 1, uniqueItems: true }, 'a non-empty array of integers, none of them twice'],
  [{ type: 'array', minItems: 1 }, 'a non-empty array'],
  [{ type: 'array', items: { type: ['string', 'null'] }, maxItems: 3 }, 'an array of at most 3 items'],
  [{ type: 'array', items: { enum: ['a', 'b'] }, minItems: 1, maxItems: 3 }, 'an array of 1 to 3 strings, each one of "a", "b"'],
  [{ type: 'array', items: { const: 'a' } }, 'an array of strings, each "a"'],
  [{ type: 'array', items: [{ type: 'number' }, { type: 'string' }], additionalItems: false, minItems: 2, maxItems: 2 }, 'an array of 2 items: a number, a string'],
  [{ type: 'object' }, 'an object'],
  [{ type: 'object', minProperties: 1 }, 'a non-empty object'],
  [{ type: 'object', minProperties: 2 }, 'an object of at least 2 fields'],
  [{ type: 'object', required: ['a'] }, 'an object with the field a'],
  [{ allOf: [{ type: 'object', required: ['a'] }, { type: 'object', required: ['b', 'a'] }] }, 'an object with the fields a, b'],
  [{ type: 'object', required: names }, `an object with the fields ${names.slice(0, 20).join(', ')}, …`],
  [{ enum: ['a', 'b'] }, 'one of "a", "b"'],
  [{ anyOf: [{ const: 'a' }, { const: 'b' }] }, 'one of "a", "b"'],
  [{ anyOf: [{ type: 'null' }, { type: 'string', format: 'date' }] }, 'a date like "2026-03-31" or null'],
  [{ anyOf: [{ enum: ['a', 'b'] }, { type: 'number' }] }, 'one of "a", "b", or a number'],
  [{ anyOf: branches('string', 'number', 'boolean', 'array', 'null') }, 'a string or a number or a boolean or an array or null'],
  [{ anyOf: [{ anyOf: [{ anyOf: [{ anyOf: branches('string', 'number') }, ...branches('boolean')] }, ...branches('array')] }, ...branches('object')] }, 'a string or a number or a boolean or an array or an object'],
  [{}, 'a value'],
  [{ const: { a: 1 } }, '{"a":1}'],
  [{ enum: [{ a: 1 }, { a: 2 }] }, 'one of {"a":1}, {"a":2}'],
  [{ not: { enum: ['a', 'b'] } }, 'a value other than one of "a", "b"'],
  [{ $ref: '#/$defs/Place', $defs: { Place: { type: 'object', required: ['city'] } } }, 'an object with the field city'],
  [{ type: 'date' }, 'a date']
]

t.test('all that would satisfy a schema is said at once', async t => {
  for (const [schema, text] of cases) {
    t.equal(expectationText(expectationOf(schema, schema)), text)
    t.equal(expectationText(expectationOf(schema, schema)), text, 'and the same when it is asked again')
  }
})

t.test('what any of several schemas would accept', async t => {
  t.equal(eitherOf([{ type: 'null' }, { type: 'integer', minimum: 0 }], {}).lead, 'an integer of at least 0 or null')
  t.equal(exactInteger, 'an integer within ±9007199254740991')
})
