import { Type } from '@sinclair/typebox'
import t from 'tap'
import { dialectNames, isDialect, toolsIn } from '../../../src/capability/dialects.js'
import { ERRORS_KEY } from '../../../src/capability/mcp-tool.js'
import type { JsonSchema } from '../../../src/schema/infer.js'
import { withInput } from '../../fixtures/tool-of.js'

const input = Type.Object({ a: Type.String() })

t.test('there are four forms, and no name of an object is one by chance', async t => {
  t.strictSame(dialectNames, ['openai', 'anthropic', 'gemini', 'mcp'])
  for (const name of dialectNames) t.ok(isDialect(name))
  for (const name of ['OpenAI', '', 'constructor', '__proto__', 'toString']) t.notOk(isDialect(name), name)
})

t.test('each form lists the visible capabilities by name', async t => {
  const capabilities = [withInput(input, { name: 'b' }), withInput(input, { name: 'hidden', hidden: true }), withInput(input, { name: 'a' })]
  const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false }
  t.match(toolsIn('openai', capabilities), [{ type: 'function', function: { name: 'a', parameters: schema, strict: true } }, { function: { name: 'b' } }])
  t.strictSame(toolsIn('anthropic', capabilities), ['a', 'b'].map(name => ({ name, description: 'A tool.', input_schema: schema })))
  t.strictSame(toolsIn('gemini', capabilities), ['a', 'b'].map(name => ({ name, description: 'A tool.', parametersJsonSchema: schema })))
  t.match(toolsIn('mcp', capabilities), ['a', 'b'].map(name => ({ name, description: 'A tool.', inputSchema: schema, outputSchema: { type: 'object' }, annotations: { readOnlyHint: true }, _meta: { [ERRORS_KEY]: [] } })))
  for (const dialect of dialectNames) t.equal(toolsIn(dialect, capabilities).length, 2)
})

t.test('an input that cannot be shown hides no other tool, and its own is said to be checked', async t => {
  let bottomless: JsonSchema = { type: 'string' }
  for (let level = 0; level < 20_000; level++) bottomless = { type: 'array', items: bottomless }
  const capabilities = [withInput({ type: 'object', properties: { a: bottomless } }, { name: 'bad' }), withInput(input, { name: 'good' })]
  for (const dialect of dialectNames) {
    const reported: unknown[] = []
    const text = JSON.stringify(toolsIn(dialect, capabilities, (name, error) => reported.push([name, (error as Error).name])))
    t.match(text, /"name":"bad".*are checked: read the schema.*"name":"good"/s, dialect)
    t.strictSame(reported, [['bad', 'RangeError']])
    t.equal(toolsIn(dialect, capabilities).length, 2, 'with nobody to tell')
  }
})

t.test('fields that are named like keywords stand in every form', async t => {
  const names = ['pattern', 'enum', 'examples', 'anyOf', 'allOf', 'oneOf', 'not', 'const', 'properties', 'patternProperties', 'dependentRequired', 'items', 'type', 'required', 'default', 'format', 'minimum', 'description', '$ref', '$defs', 'if', 'title']
  const fields = Object.fromEntries(names.map(name => [name, Type.Optional(Type.String())]))
  const capabilities = [withInput(Type.Object({ ...fields, inner: Type.Object(fields) }))]
  const failed: unknown[] = []
  for (const dialect of dialectNames) {
    const [tool] = toolsIn(dialect, capabilities, (_, error) => failed.push(error)) as any[]
    const schema = tool.function?.parameters ?? tool.input_schema ?? tool.parametersJsonSchema ?? tool.inputSchema
    const shown = names.filter(name => !name.startsWith('$'))
    t.strictSame(shown.filter(name => schema.properties[name] === undefined || schema.properties.inner.properties[name] === undefined), [], dialect)
  }
  t.strictSame(failed, [])
})
