import t from 'tap'
import { geminiFunction } from '../../../src/capability/dialect-gemini.js'
import { withInput } from '../../fixtures/tool-of.js'

t.test('a function for Gemini keeps ranges, sizes, lists and dates; the rest is said in words', async t => {
  const a = { type: 'string', format: 'date', description: 'A day.', default: '2026-03-31' }
  const b = { type: 'integer', minimum: 1, exclusiveMaximum: 5, enum: [1, 2] }
  t.strictSame(geminiFunction(withInput({}), { type: 'object', properties: { a, b, 'c-d': { type: 'null' } }, required: ['a'], minProperties: 1 }), {
    name: 'tool',
    description: 'A tool. At least 1 field. Checked too, as JSON Schema: {"properties":{"c-d":{"type":"null"}}}',
    parametersJsonSchema: {
      type: 'object',
      properties: { a: { type: 'string', format: 'date', description: 'A day. Default "2026-03-31"' }, b: { type: 'integer', minimum: 1, enum: [1, 2], description: 'Below 5' } },
      required: ['a'],
      additionalProperties: true
    }
  })
})
