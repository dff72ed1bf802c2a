import { Type, type TSchema } from '@sinclair/typebox'
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import { defineCapability, type Capability } from '../../../src/capability/define.js'
import { ERRORS_KEY, toolOf } from '../../../src/capability/mcp-tool.js'

function capabilityOf (output: TSchema, more: object = {}): Capability {
  return defineCapability<any, any>({ name: 'find_it', description: 'Finds.', effect: 'read', input: Type.Object({ place: Type.String({ description: 'Where.' }) }), output, handler: async () => null, ...more })
}

t.test('a tool has its name, its input and what it may end with', async t => {
  const tool = toolOf(capabilityOf(Type.Null(), { errors: { NOT_THERE: { category: 'NOT_FOUND', retryable: true, description: 'Nothing is there.', hint: 'Look elsewhere.' } } }))
  t.match(tool, { name: 'find_it', description: 'Finds.', inputSchema: { type: 'object', required: ['place'], properties: { place: { type: 'string', description: 'Where.' } }, additionalProperties: false } })
  t.strictSame(tool._meta, { [ERRORS_KEY]: [{ code: 'NOT_THERE', status: 404, category: 'NOT_FOUND', retryable: true, description: 'Nothing is there.', hint: 'Look elsewhere.' }] })
  t.equal(ERRORS_KEY, 'candor/errors')
})

t.test('hints come from the effect, and from nothing else', async t => {
  const hints = (more: object) => toolOf(capabilityOf(Type.Null(), more)).annotations
  t.strictSame(hints({}), { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false })
  t.strictSame(hints({ effect: 'write', upstreams: ['bank'] }), { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true })
  t.strictSame(hints({ effect: 'write', idempotent: true }), { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false })
})

const failure = { success: false, error: { code: 'NOT_THERE', message: 'Nothing.', category: 'NOT_FOUND', retryable: true, details: { next_action: 'fix_input', request_id: 'r-1', place: 'x' } } }
const Place = Type.Object({ name: Type.String() }, { $id: 'Place' })
const Tree = Type.Recursive(This => Type.Object({ name: Type.String(), children: Type.Array(This) }))

const outputs: Array<[label: string, output: TSchema, right: unknown, wrong: unknown]> = [
  ['an object', Type.Object({ n: Type.Number() }), { n: 1 }, { n: 'x' }],
  ['nothing', Type.Null(), null, 1],
  ['no result', Type.Void(), null, 1],
  ['a text', Type.String(), 'x', 1],
  ['a list', Type.Array(Type.Integer()), [1], ['x']],
  ['a tuple', Type.Tuple([Type.String(), Type.Number()]), ['x', 1], ['x', 1, 2]],
  ['a union', Type.Union([Type.Literal('a'), Type.Object({ n: Type.Number() })]), { n: 1 }, 'b'],
  ['a named schema, twice', Type.Object({ from: Place, to: Place }), { from: { name: 'a' }, to: { name: 'b' } }, { from: { name: 1 }, to: { name: 'b' } }],
  ['a schema that holds itself', Tree, { name: 'a', children: [{ name: 'b', children: [{ name: 'c', children: [] }] }] }, { name: 'a', children: [{ name: 5, children: [] }] }]
]

t.test('the output schema takes the envelope, of a success and of a failure, by any draft, and no other data', async t => {
  for (const [label, output, right, wrong] of outputs) {
    const { outputSchema } = toolOf(capabilityOf(output))
    t.equal(outputSchema.type, 'object')
    t.notMatch(JSON.stringify(outputSchema), /\$ref|\$schema|\$id|\$defs/, label)
    for (const [draft, ajv] of [['draft-07', new Ajv({ strict: false })], ['2020-12', new Ajv2020({ strict: false })]] as const) {
      const isValid = ajv.compile(outputSchema)
      t.ok(isValid({ success: true, data: right, meta: { sources: ['a'], warnings: [{ rule: 'x' }] } }), `${label}, ${draft}`, { errors: isValid.errors })
      t.ok(isValid(failure), `failure of ${label}, ${draft}`)
      t.notOk(isValid({ success: true, data: wrong }), `not ${label}, ${draft}`)
      t.notOk(isValid({ success: false, data: right }))
      t.notOk(isValid({ ...failure, success: true }))
    }
  }
})

t.test('what is the same for every tool is not told in words', async t => {
  t.notMatch(JSON.stringify(toolOf(capabilityOf(Type.Null())).outputSchema), /description/)
})

t.test('an output that cannot be shown keeps no tool from being listed', async t => {
  const broken = { ...capabilityOf(Type.Null()), get output (): any { throw new Error('secret') } }
  const { outputSchema } = toolOf(broken)
  t.match(outputSchema.anyOf[0].properties.data, { description: 'The fields of the data cannot be shown in this form.' })
})
