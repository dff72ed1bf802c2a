import { Type } from '@sinclair/typebox'
import t from 'tap'
import { mcpInput, mcpSchema } from '../../../src/capability/dialect-mcp.js'
import { withInput } from '../../fixtures/tool-of.js'

t.test('the input of an MCP tool is an object that every host can hand on', async t => {
  const place = Type.Object({ lat: Type.Number({ 'x-candor-sensitive': true }) }, { $id: 'Place' })
  t.strictSame(mcpSchema(withInput(Type.Object({ from: place, size: Type.Tuple([Type.Integer({ minimum: 1, maximum: 2 })]) }))), {
    type: 'object',
    properties: {
      from: { type: 'object', properties: { lat: { type: 'number' } }, required: ['lat'], additionalProperties: false },
      size: { type: 'array', minItems: 1, maxItems: 1, items: { type: 'integer', minimum: 1, maximum: 2 }, description: 'In this order: an integer from 1 to 2' }
    },
    required: ['from', 'size'],
    additionalProperties: false
  })
})

t.test('what is said of the whole input stays with it', async t => {
  t.strictSame(mcpInput({ type: 'object', properties: {}, description: 'With a goes b' }), { type: 'object', properties: {}, description: 'With a goes b' })
})
