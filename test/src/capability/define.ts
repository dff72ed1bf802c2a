import { Type } from '@sinclair/typebox'
import t from 'tap'
import { DEFAULT_TIMEOUT_MS, defineCapability } from '../../../src/capability/define.js'
import type { Infer, JsonSchema } from '../../../src/schema/infer.js'

// Most of this file is checked by the compiler: a line that must not compile says so, and one that must is just there.

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false
const same = <A, B>(holds: Same<A, B>): boolean => holds

const base = { name: 'current_weather', description: 'Current weather.', effect: 'read' } as const
const input = Type.Object({ location: Type.String(), days: Type.Optional(Type.Integer()) })
const output = Type.Object({ unit: Type.Union([Type.Literal('metric'), Type.Literal('imperial')]), days: Type.Optional(Type.Array(Type.Number())) })
const errors = { LOCATION_NOT_FOUND: { category: 'NOT_FOUND', description: 'No place matches.' } } as const

t.test('what is left out is filled in, and nothing can be changed afterwards', async t => {
  const handler = async () => null
  const capability = defineCapability<JsonSchema, JsonSchema>({ ...base, input, output: Type.Null(), handler })
  t.strictSame({ ...capability }, {
    ...base, input, output: Type.Null(), handler, idempotent: false, evidence: undefined, hidden: false, honesty: undefined, upstreams: [], examples: [], errors: {}, timeoutMs: DEFAULT_TIMEOUT_MS, scopes: [], rateLimit: undefined, maxConcurrent: undefined, maxQueued: undefined, check: undefined
  })
  t.ok(Object.isFrozen(capability))
})

t.test('what is said is kept, misspelt options too: the service finds them', async t => {
  const said = { ...base, idempotent: true, evidence: 'upstream', hidden: true, honesty: { evidence: 'warn' }, upstreams: ['a'], examples: [], errors, timeoutMs: 1, scopes: ['read'], rateLimit: false, maxConcurrent: 2, maxQueued: 1, check: () => [], input, output, handler: async () => ({ unit: 'metric' as const }), timoutMs: 5 } as const
  t.strictSame({ ...defineCapability(said) }, said)
})

t.test('a handler may return a literal of a union, whatever the order of the options', async t => {
  t.ok(Object.isFrozen(defineCapability({ ...base, input, output, handler: async () => ({ unit: 'metric' }) })))
  t.ok(Object.isFrozen(defineCapability({ ...base, input, output, handler: () => ({ unit: 'imperial', days: [1] }) })))
  t.ok(Object.isFrozen(defineCapability({ handler: async input => ({ unit: input.location === '' ? 'metric' : 'imperial' }), output, input, ...base })))
  t.ok(Object.isFrozen(defineCapability({ ...base, output, async handler (input) { return { unit: input.days === 1 ? 'metric' : 'imperial' } }, input })))
})

t.test('a wrong result does not compile', async t => {
  // @ts-expect-error: not one of the union
  t.ok(Object.isFrozen(defineCapability({ ...base, input, output, handler: async () => ({ unit: 'kelvin' }) })))
  // @ts-expect-error: a field is missing
  t.ok(Object.isFrozen(defineCapability({ ...base, input, output, handler: async () => ({}) })))
  // @ts-expect-error: nothing is returned
  t.ok(Object.isFrozen(defineCapability({ ...base, input, output, handler: async () => {} })))
  // @ts-expect-error: a wrong type, deep down
  t.ok(Object.isFrozen(defineCapability({ ...base, input, output, handler: async () => ({ unit: 'metric', days: ['1'] }) })))
})

t.test('the input has the type of its schema, in the handler, in the check and in the examples', async t => {
  defineCapability({
    ...base,
    input,
    output,
    examples: [{ input: { location: 'Oslo' }, output: { unit: 'metric' } }],
    check: input => input.days === 3 ? [{ field: 'days', rule: 'odd', expected: 'another number' }] : undefined,
    async handler (input) {
      t.ok(same<typeof input, { days?: number, location: string }>(true))
      // @ts-expect-error: not declared
      input.place // eslint-disable-line @typescript-eslint/no-unused-expressions
      return { unit: 'metric' }
    }
  })
  // @ts-expect-error: an example with a wrong field
  t.ok(Object.isFrozen(defineCapability({ ...base, input, output, examples: [{ input: { place: 'Oslo' } }], handler: async () => ({ unit: 'metric' }) })))
  t.ok(same<Infer<typeof input>, { days?: number, location: string }>(true))
})

t.test('plain JSON Schema gives unknown', async t => {
  defineCapability({
    ...base,
    input: { type: 'object', properties: { a: { type: 'string' } } },
    output: { type: 'object' },
    async handler (input) {
      t.ok(same<typeof input, unknown>(true))
      // @ts-expect-error: nothing is known of it
      input.a // eslint-disable-line @typescript-eslint/no-unused-expressions
      return { any: ['thing', 1, null] }
    }
  })
  t.ok(same<Infer<{ type: string }>, unknown>(true))
})

t.test('only declared codes and labels compile', async t => {
  defineCapability({
    ...base,
    input,
    output,
    errors,
    upstreams: ['geocoding', 'forecast'],
    async handler (input, call) {
      if (input.location === '') throw call.error('LOCATION_NOT_FOUND', { message: 'No such place.', details: { tried: 3 }, retryAfterMs: 5 })
      // @ts-expect-error: a misspelt code
      call.error('LOCATION_NOT_FOUNd')
      // @ts-expect-error: a misspelt label
      call.upstream('geocodng')
      // @ts-expect-error: a misspelt source
      call.cached({ source: 'geocodng', asOf: new Date() })
      // @ts-expect-error: a code that is not declared
      await call.upstream('geocoding').get('/', { errors: { 404: 'NOT_DECLARED' } })
      const { status, data } = await call.upstream('forecast').get('/', { schema: output, errors: { 404: 'LOCATION_NOT_FOUND' } })
      t.ok(status === 200 && same<typeof data.unit, 'metric' | 'imperial'>(true))
      const answer = await call.upstream('forecast').get('/', { schema: output, acceptStatus: [404] })
      if (answer.ok) t.ok(same<typeof answer.data.unit, 'metric' | 'imperial'>(true))
      else t.ok(same<typeof answer.data, unknown>(true))
      // @ts-expect-error: an accepted status has a body of any shape
      answer.data.unit // eslint-disable-line @typescript-eslint/no-unused-expressions
      const tried = await call.try(async () => 5)
      if (tried.ok) t.ok(same<typeof tried.data, number>(true))
      else t.ok(tried.error.code)
      return { unit: data.unit }
    }
  })
  const bare = defineCapability({
    ...base,
    input,
    output,
    async handler (_, call) {
      // @ts-expect-error: no errors are declared
      call.error('ANY')
      // @ts-expect-error: no upstreams are declared
      call.upstream('any')
      return { unit: 'metric' }
    }
  })
  t.strictSame([bare.errors, bare.upstreams], [{}, []])
})

t.test('an unknown option, and one that is missing, do not compile', async t => {
  const handler = async () => ({ unit: 'metric' as const })
  // @ts-expect-error: the effect is missing
  t.ok(Object.isFrozen(defineCapability({ name: 'a', description: 'A.', input, output, handler })))
  // @ts-expect-error: a misspelt option
  t.ok(Object.isFrozen(defineCapability({ ...base, input, output, handler, timoutMs: 5 })))
  // @ts-expect-error: not an effect
  t.ok(Object.isFrozen(defineCapability({ ...base, effect: 'reads', input, output, handler })))
  // @ts-expect-error: not a category
  t.ok(Object.isFrozen(defineCapability({ ...base, input, output, handler, errors: { A1: { category: 'OTHER', description: 'x' } } })))
})
