import t from 'tap'
import { openaiTool } from '../../../src/capability/dialect-openai.js'
import type { JsonSchema } from '../../../src/schema/infer.js'
import { withInput } from '../../fixtures/tool-of.js'

const functionOf = (plain: JsonSchema, description?: string) => openaiTool(withInput({}, description === undefined ? {} : { description }), plain).function
const object = (properties: Record<string, JsonSchema>, required = Object.keys(properties)) => ({ type: 'object', properties, required, additionalProperties: false })
const isStrict = (plain: JsonSchema) => functionOf(plain).strict
const string = { type: 'string' }

t.test('a tool whose fields must all be sent is strict, and says in words what strict mode has no word for', async t => {
  t.strictSame(openaiTool(withInput({}), { ...object({ a: { type: 'string', minLength: 2, format: 'uuid', default: 'x' }, b: { type: 'array', items: { type: 'number', maximum: 3 }, uniqueItems: true } }), minProperties: 1 }), {
    type: 'function',
    function: {
      name: 'tool',
      description: 'A tool. At least 1 field',
      parameters: object({ a: { type: 'string', format: 'uuid', description: 'At least 2 characters. Default "x"' }, b: { type: 'array', items: { type: 'number', maximum: 3 }, description: 'No item twice' } }),
      strict: true
    }
  })
})

t.test('a field that may be left out or null is sent as null in strict mode', async t => {
  const inner = object({ c: { anyOf: [string, { type: 'null' }] } }, [])
  const { parameters, strict } = functionOf(object({ a: { type: ['string', 'null'] }, list: { type: 'array', items: inner }, either: { anyOf: [inner, string] } }, ['list', 'either']))
  t.ok(strict)
  t.strictSame(parameters.required, ['a', 'list', 'either'])
  t.strictSame(parameters.properties.list.items.required, ['c'])
  t.strictSame(parameters.properties.either.anyOf[0].required, ['c'])
})

t.test('a tool that strict mode cannot hold is not strict, and keeps all its rules', async t => {
  const optional = object({ a: { type: 'string', minLength: 2, default: 'x' } }, [])
  t.strictSame(functionOf(optional), { name: 'tool', description: 'A tool.', parameters: optional, strict: false })
  t.notOk(isStrict({ type: 'object', properties: {}, additionalProperties: true }), 'an open object')
  t.notOk(isStrict({ type: 'object', properties: {}, additionalProperties: string }), 'a record')
  t.notOk(isStrict(object({ a: {} })), 'anything')
  t.notOk(isStrict(object({ a: { type: 'array', items: {} } })), 'a list of anything')
  t.notOk(isStrict(object({ a: object({ b: string }, []) })), 'an optional field inside')
  t.ok(isStrict({ type: 'object', properties: {}, additionalProperties: false }), 'no fields at all')
})

t.test('a schema beyond the limits of strict mode is not strict', async t => {
  const deep = (levels: number): JsonSchema => levels === 0 ? string : object({ a: deep(levels - 1) })
  const values = (count: number, length: number) => ({ type: 'string', enum: Array.from({ length: count }, (_, index) => String(index).padStart(length, 'x')) })
  t.strictSame([10, 11].map(levels => isStrict(deep(levels))), [true, false])
  t.strictSame([1000, 1001].map(count => isStrict(object({ a: values(count, 4) }))), [true, false])
  t.strictSame([60, 61].map(length => isStrict(object({ a: values(250, length), b: values(251, 59) }))), [true, true])
  t.strictSame([59, 60].map(length => isStrict(object({ a: values(251, length) }))), [true, false])
  t.strictSame([5000, 5001].map(count => isStrict(object(Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, string]))))), [true, false])
  t.strictSame([479, 481].map(length => isStrict(object({ a: values(250, length) }))), [true, false])
})

t.test('a description longer than a function may have stands at its parameters', async t => {
  const plain = { ...object({ a: string }), description: 'x'.repeat(1000) }
  const { description, parameters } = functionOf(plain, 'Does what it says, and not more.')
  t.equal(description, 'Does what it says, and not more.')
  t.equal(parameters.description, `Does what it says, and not more. ${'x'.repeat(1000)}`)
  const long = functionOf(object({ a: string }), 'y'.repeat(1025))
  t.equal(long.description, `${'y'.repeat(1023)}…`)
  t.equal(long.parameters.description, 'y'.repeat(1025))
})
