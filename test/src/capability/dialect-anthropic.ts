import t from 'tap'
import { anthropicTool } from '../../../src/capability/dialect-anthropic.js'
import { withInput } from '../../fixtures/tool-of.js'

t.test('a tool for Claude says its rules in the schema, and those of the whole input in its description', async t => {
  t.strictSame(anthropicTool(withInput({}), { type: 'object', properties: { a: { type: 'string', minLength: 1, format: 'byte' } }, minProperties: 1, description: 'With a goes b' }), {
    name: 'tool',
    description: 'A tool. With a goes b',
    input_schema: { type: 'object', properties: { a: { type: 'string', minLength: 1, description: 'Base64 text like "aGk="' } }, minProperties: 1 }
  })
})
