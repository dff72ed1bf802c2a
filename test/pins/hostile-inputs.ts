import { Type } from '@sinclair/typebox'
import { defineCapability, type JsonSchema } from 'candor'
import t from 'tap'
import { build } from '../fixtures/build.js'

// What an explanation costs is decided by a caller. Time is measured as CPU time of the process, and with room for a slow
// machine: what is tried here took between half a second and many minutes before it was bounded.
const MAX_CPU_MS = 500

const tool = (name: string, input: JsonSchema) => defineCapability({ name, description: 'x', effect: 'read', input, output: Type.Object({}), handler: () => ({}) })
const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index))
const words = many(1000, index => `field_${(index * 7919 % 10_007).toString(36)}_${index}`)
const fields = (count: number, name: (index: number) => string) => Object.fromEntries(many(count, index => [name(index), 1]))

const Node = Type.Recursive(This => Type.Union([Type.Object({ left: This, op: Type.Literal('a') }), Type.Object({ left: This, op: Type.Literal('b') }), Type.Number()]))

function nest (levels: number, value: unknown, wrap: (inner: unknown) => unknown): unknown {
  for (let level = 0; level < levels; level++) value = wrap(value)
  return value
}

const hostile: Array<[name: string, schema: JsonSchema, ...inputs: unknown[]]> = [
  ['items', Type.Object({ a: Type.Array(Type.Integer()) }), { a: many(100_000, () => 'x') }, { a: many(16_000, () => 'x') }, { a: many(400_000, index => index === 399_999 ? 'x' : 1) }],
  ['literals', Type.Object({ a: Type.Array(Type.Union(many(500, index => Type.Literal(`value-${index}`)))) }), { a: many(60_000, () => 'value-x') }, { a: many(4_000, () => 'value-x') }, { a: many(60_000, index => index === 59_999 ? 'x' : 'value-499') }],
  ['values', Type.Object({ a: Type.Array(Type.Unsafe({ enum: many(500, index => `v${index}`) })) }), { a: many(120_000, index => index === 119_999 ? 'x' : 'v499') }, { a: many(9_000, () => 'v4x') }],
  ['keys', Type.Object(Object.fromEntries(words.map(word => [word, Type.Optional(Type.String())]))), fields(90_000, index => `k${index}`), fields(6_000, index => `k${index}`), fields(30_000, index => `${words[index % 1000]}x${index}`), fields(2_500, index => `${words[index % 1000]}${index}`)],
  ['objects', Type.Object({ a: Type.Array(Type.Object(Object.fromEntries(words.slice(0, 100).map(word => [word, Type.String()])))) }), { a: many(20_000, () => ({})) }, { a: many(5_000, () => ({ x: 1 })) }],
  ['trees', Type.Object({ e: Node }), { e: nest(60, 'x', left => ({ left, op: 'a' })) }, { e: nest(60, 1, left => ({ left, op: 'z' })) }],
  ['open', Type.Object({ any: Type.Any() }), { any: nest(400, 1, inner => [inner]) }, `{"any":${'['.repeat(5_000)}${']'.repeat(5_000)}}`],
  ['texts', Type.Object({ a: Type.Array(Type.String()), b: Type.String({ maxLength: 5 }) }), { a: '['.repeat(60_000), b: '' }, { a: [], b: '😀'.repeat(200_000) }, { a: '[1,'.repeat(300_000), b: 'x' }],
  ['sets', Type.Object({ a: Type.Array(Type.Object({ n: Type.Number() }), { uniqueItems: true }) }), { a: many(6_000, index => ({ n: index % 5_999 })) }, { a: many(80_000, index => ({ n: index % 79_999 })) }]
]

t.test('however an input is wrong, it is answered soon, and shortly', async t => {
  const { app } = await build(t, { capabilities: hostile.map(([name, schema]) => tool(name, schema)), logger: false })
  for (const [name, , ...inputs] of hostile) {
    const send = (input: unknown) => app.inject({ method: 'POST', url: `/api/capabilities/${name}`, headers: { 'content-type': 'application/json' }, payload: typeof input === 'string' ? input : JSON.stringify(input) })
    await send({ zzz: 1 }) // Compiles.
    for (const [index, input] of inputs.entries()) {
      const before = process.cpuUsage()
      const response = await send(input)
      const { user, system } = process.cpuUsage(before)
      t.equal(response.statusCode, 400, `${name} ${index}`)
      t.ok(Buffer.byteLength(response.body) <= 4096, `${name} ${index}: ${response.body.length} bytes`)
      t.match(response.json(), { success: false, error: { category: 'INPUT_ERROR', message: /./ } })
      t.ok((user + system) / 1000 < MAX_CPU_MS, `${name} ${index}: ${(user + system) / 1000} ms`)
    }
  }
})
