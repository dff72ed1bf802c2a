import { Type } from '@sinclair/typebox'
import t from 'tap'
import { defineCapability, type Capability, type ErrorDeclaration } from '../../../src/capability/define.js'
import { mistakesInCapabilities, warningsInCapabilities } from '../../../src/capability/mistakes.js'
import type { JsonSchema } from '../../../src/schema/infer.js'

const sound = { name: 'tool', description: 'A tool.', effect: 'read', input: Type.Object({}), output: Type.Null(), handler: async () => null } as const
/** A capability as JavaScript would let it be declared. */
const tool = (more: object = {}) => defineCapability({ ...sound, ...more } as never) as Capability
const mistakes = (more: object, labels: string[] = []) => mistakesInCapabilities([tool(more)], labels).map(mistake => mistake.replace("Capability 'tool': ", ''))

t.test('sound capabilities may start', async t => {
  const node = Type.Recursive(This => Type.Object({ kids: Type.Array(This) }), { $id: 'Node' })
  const module = Type.Module({ A: Type.Object({ b: Type.Optional(Type.Ref('B')) }), B: Type.Object({ a: Type.Array(Type.Ref('A')) }) })
  const A = Type.Object({ a: Type.String() })
  for (const input of [A, node, module.Import('A'), Type.Union([A, node]), Type.Intersect([A, Type.Object({ b: Type.Null() })]), Type.Record(Type.String(), A), { oneOf: [A, { anyOf: [A] }] }, { allOf: [{ description: 'x' }, A] }]) t.strictSame(mistakes({ input, output: input }), [])
  t.strictSame(mistakes({ effect: 'write', idempotent: true, hidden: true, evidence: 'upstream', upstreams: ['a'], check: () => undefined, output: Type.Void() }, ['a']), [])
})

t.test('a name is refused unless every host takes it', async t => {
  for (const name of ['weather.get', 'weather/get', 'get weather', 'Get_Weather', 'a'.repeat(49), 'wetter_für', '__proto__', '', '1a', 5, undefined]) t.match(mistakesInCapabilities([tool({ name })], []), [/expected `name` to match \^\[a-z\]/])
  for (const name of ['a', 'constructor', 'a'.repeat(48), 'get_weather_2']) t.strictSame(mistakesInCapabilities([tool({ name })], []), [])
  t.strictSame(mistakesInCapabilities([tool(), tool(), tool()], []), ["Expected capability names to be unique, got 'tool' more than once."])
})

t.test('each wrong option is told with what came', async t => {
  t.strictSame(mistakes({ description: ' ', effect: 'reads', evidence: 'maybe', idempotent: 'no', hidden: 1, timeoutMs: -5, input: Type.String(), output: undefined, check: 'x', handler: null, upstreams: 'a', errors: [] }), [
    'expected `description` to say what it does, got a string.',
    "expected `effect` to be 'read' or 'write', got a string.",
    "expected `evidence` to be 'upstream' or 'none', got a string.",
    'expected `idempotent` to be a boolean, got a string.',
    'expected `hidden` to be a boolean, got 1.',
    'expected `timeoutMs` to be a positive number below 2147483648, got -5.',
    "expected `input` to be the schema of an object, got 'string'.",
    'expected `output` to be a schema, got undefined.',
    'expected `check` to be a function, got a string.',
    'expected `handler` to be a function, got null.',
    'expected `upstreams` to be an array of labels, got a string.',
    'expected `errors` to be an object, each code with its declaration, got an array.'
  ])
  for (const timeoutMs of [0, NaN, Infinity, 2 ** 31, '5']) t.equal(mistakes({ timeoutMs }).length, 1)
  t.match(mistakes({ description: () => 'x' }), [/got a function/])
  t.match(mistakes({ upstreams: [5] }), [/array of labels/])
})

t.test('how many calls are taken is a number, and how many wait only where not all run', async t => {
  for (const more of [{ rateLimit: false }, { rateLimit: { max: 1, windowMs: 1_000 } }, { maxConcurrent: 1 }, { maxConcurrent: 2, maxQueued: 0 }]) t.strictSame(mistakes(more), [])
  for (const rateLimit of [true, 5, 'SECRET', { max: 0, windowMs: 1_000 }, { max: 5, windowMs: 500 }]) t.match(mistakes({ rateLimit }), [/^expected `rateLimit` to be \{ max: 100, windowMs: 60000 \} or false, `max` a whole number of 1 or more, `windowMs` 1000 or more and below 2147483648, got /])
  for (const maxConcurrent of [0, 1.5, '2', null]) t.match(mistakes({ maxConcurrent }), [/`maxConcurrent` to be a whole number, 1 or more/])
  for (const more of [{ maxQueued: 1 }, { maxConcurrent: 1, maxQueued: -1 }, { maxConcurrent: 1, maxQueued: 0.5 }]) t.match(mistakes(more), [/`maxQueued` to be a whole number beside `maxConcurrent`/])
})

t.test('a rule of honesty is known, and refuses, warns or is off', async t => {
  t.strictSame(mistakes({ honesty: { 'mock-marker': 'off' } }), [])
  t.match(mistakes({ honesty: { 'mock-markers': 'off' } }), ['expected `honesty` to have only known rules (masked-failure, evidence, mock-marker, output-schema, no-result), got `mock-markers`.'])
})

t.test('an input that is no object is refused', async t => {
  const ring = { $defs: { r: { anyOf: [{ $ref: '#/$defs/r' }] } }, anyOf: [{ $ref: '#/$defs/r' }] }
  for (const input of [true, null, Type.Any(), Type.Array(Type.Null()), Type.Union([Type.Object({}), Type.String()]), { allOf: [Type.String()] }, { anyOf: [true] }, ring]) t.match(mistakes({ input })[0], /expected `input` to be the schema of an object, got/)
})

t.test('a misspelt option shows, with the spelling that was meant', async t => {
  const { effect, ...rest } = sound
  t.strictSame(mistakesInCapabilities([defineCapability({ ...rest, efect: effect, timoutMs: 5, colour: 1 } as never)], []).map(mistake => mistake.slice(19)), [
    ' expected only known options, got `efect`. Did you mean `effect`?', ' expected only known options, got `timoutMs`. Did you mean `timeoutMs`?', ' expected only known options, got `colour`.', " expected `effect` to be 'read' or 'write', got undefined."
  ].map(text => text.trim()))
  t.strictSame(mistakes({ errors: { GONE: { category: 'NOT_FOUND', description: 'x', retriable: true } } }), ['expected only known options, got `errors.GONE.retriable`. Did you mean `retryable`?'])
})

t.test('what is not made by defineCapability is no capability', async t => {
  t.strictSame(mistakesInCapabilities([null, {}, 'x', sound, tool()] as never, []).map(mistake => mistake.replace('to be what `defineCapability` returns, ', '')), [
    'Expected `capabilities[0]` got null.', 'Expected `capabilities[1]` got an object.', 'Expected `capabilities[2]` got a string.', 'Expected `capabilities[3]` got an object.'
  ])
})

t.test('a label that is not configured is refused', async t => {
  t.match(mistakes({ upstreams: ['geocodng', 'toString'] }, ['geocoding']), [/\(geocoding\), got 'geocodng'\. Did you mean `geocoding`\?$/, /got 'toString'\.$/])
  t.match(mistakes({ upstreams: ['a'] }), [/\(none is configured\), got 'a'\.$/])
  t.match(mistakes({ evidence: 'upstream' }), ["expected `upstreams` to name a source for `evidence: 'upstream'`, got none."])
})

t.test('a declared error is checked whole', async t => {
  const errors = JSON.parse('{"lower":{"category":"NOT_FOUND","description":"x"},"__proto__":{"category":"NOT_FOUND","description":"x"},"EMPTY":null,"AWAY":{"category":"NOT_FOUND","status":503,"description":"","hint":5},"ODD":{"category":"OTHER","description":"x","retryable":"no"},"AUTH":{"category":"AUTH_ERROR","retryable":true,"description":"x"}}')
  t.match(mistakes({ errors }), [
    /^errors.lower: expected `code` to match/, /^errors.__proto__: expected `code` to match/, 'expected `errors.EMPTY` to be an object, got null.', /^errors.AWAY: expected `description`/, /^errors.AWAY: expected `status` of NOT_FOUND to be one of 404, 410, got 503/,
    'expected `errors.AWAY.hint` to be a string, got 5.', /^errors.ODD: expected `category`/, /^errors.ODD: expected `retryable`/, /^errors.AUTH: expected `retryable` of AUTH_ERROR/
  ])
})

t.test('a code that a field names must be declared, and final', async t => {
  const amount = (code: unknown) => Type.Object({ amount: Type.Number({ 'x-candor-code': code, 'x-candor-correctable': false }) })
  const errors = { AMOUNT: { category: 'INPUT_ERROR', description: 'x' }, AGAIN: { category: 'INPUT_ERROR', description: 'x', retryable: true } }
  t.strictSame(mistakes({ input: amount('AMOUNT'), errors }), [])
  t.match(mistakes({ input: amount('AMOUNTS'), errors }), [/to name a code declared in `errors`, got 'AMOUNTS'\. Did you mean `AMOUNT`\?/])
  t.match(mistakes({ input: amount('constructor'), errors }), [/got 'constructor'\./])
  t.match(mistakes({ input: amount(5), errors }), [/got 5\./])
  t.match(mistakes({ input: amount('AGAIN'), errors }), ['expected `errors.AGAIN` not to be retryable: a field that is not correctable answers with it.'])
})

t.test('an example that breaks its schema is refused', async t => {
  const input = Type.Object({ location: Type.String(), units: Type.String({ default: 'metric' }) })
  t.strictSame(mistakes({ input, examples: [{ input: { location: 'Oslo' } }] }), [])
  t.match(mistakes({ input, examples: [{ input: { location: 5 } }, { input: { location: 'a', unit: 'x' }, output: 5 }, 'x', { location: 'Oslo' }] }), [
    /^expected `examples\[0\].input` to satisfy the input schema: location: expected a string/, /^expected `examples\[1\].input` to satisfy the input schema: unit: expected only the fields/, /^expected `examples\[1\].output` to satisfy the output schema/, /^expected `examples\[2\]` to be an object with `input`, got a string/, /^expected `examples\[3\]` to be an object/
  ])
  t.match(mistakes({ examples: 'x' }), ['expected `examples` to be an array, got a string.'])
  t.equal(mistakes({ input: null, examples: [{ input: {} }] }).length, 1)
})

t.test('one name for two shapes is refused, naming both', async t => {
  const place = (description: string): JsonSchema => Type.Object({ lat: Type.Number() }, { $id: 'Place', description })
  const using = (name: string, input: JsonSchema) => tool({ name, input: Type.Object({ at: input as never }) })
  t.strictSame(mistakesInCapabilities([using('a', place('x')), using('b', place('y')), using('c', place('z'))], []), ["Expected schemas of one name to have one shape, got two named 'Place': one in the input of a, another in the input of b. Give one of them another `$id`."])
  t.strictSame(mistakesInCapabilities([using('a', place('x')), using('b', place('x'))], []), [])
  t.match(mistakes({ input: Type.Object({ a: place('x') as never, b: place('y') as never }) }), ["`input`: expected schemas of one name to have one shape, got two with the `$id` 'Place'."])
  t.strictSame(mistakesInCapabilities([using('a', { $id: 'T0', type: 'string' }), using('b', { $id: 'T0', type: 'number' })], []), [], 'numbers are no names')
})

t.test('what is wrong with a schema is told with its capability, and what is not good apart', async t => {
  const capability = tool({ input: Type.Object({ when: Type.Date() }), output: Type.Object({ t: Type.Number() }) })
  t.match(mistakesInCapabilities([capability], []), [/^Capability 'tool': `input.when`: expected `type` to be one JSON has/])
  t.strictSame(warningsInCapabilities([capability, null] as never), ["Capability 'tool': `input`: expected a `description` of every field, got none of input.when.", "Capability 'tool': `output`: expected a `description` of every field, got none of output.t."])
})

t.test('a schema that holds itself is refused, not followed for ever', async t => {
  const input: Record<string, unknown> = { type: 'object' }
  input.properties = { input }
  t.match(mistakes({ input }), [/`input`: expected a JSON Schema that can be read/])
})

t.test('a thousand capabilities are looked at in a moment', async t => {
  const many = Array.from({ length: 1000 }, (_, index) => tool({
    name: `tool_${index}`,
    input: Type.Object({ location: Type.String({ description: `Place ${index}.`, maxLength: 200, examples: ['Oslo'] }), days: Type.Optional(Type.Integer({ minimum: 1, default: 1 })) }),
    output: Type.Object({ temperature: Type.Number({ description: 'In °C.' }) }),
    examples: [{ input: { location: 'Oslo' }, output: { temperature: 1 } }]
  }))
  const { user } = process.cpuUsage()
  t.strictSame(mistakesInCapabilities(many, []), [])
  t.ok((process.cpuUsage().user - user) / 1000 < 1500)
})

t.test("a code of the framework's own keeps its meaning; a well-known one may say whether to try again", async t => {
  const withErrors = (errors: Record<string, ErrorDeclaration>) => defineCapability({ name: 'x', description: 'X.', effect: 'read', input: Type.Object({}), output: Type.Null(), errors, handler: () => null })
  t.match(mistakesInCapabilities([withErrors({ INVALID_INPUT: { category: 'NOT_FOUND', description: 'x' } })], []), ["Capability 'x': expected `errors.INVALID_INPUT` to be a code of its own, or what it means everywhere: INPUT_ERROR, status 400, retryable true."])
  t.equal(mistakesInCapabilities([withErrors({ INTERNAL_ERROR: { category: 'SERVICE_ERROR', status: 500, retryable: true, description: 'x' } })], []).length, 1)
  t.strictSame(mistakesInCapabilities([withErrors({ INVALID_REQUEST: { category: 'INPUT_ERROR', retryable: true, description: 'x' }, SERVICE_UNAVAILABLE: { category: 'SERVICE_ERROR', description: 'x' } })], []), [])
})
