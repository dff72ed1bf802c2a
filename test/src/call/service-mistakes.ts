import { Type } from '@sinclair/typebox'
import t from 'tap'
import { defineCapability } from '../../../src/capability/define.js'
import { mistakesInService, warningsInService, type ServiceDeclaration } from '../../../src/call/service-mistakes.js'

const weather = defineCapability({ name: 'current_weather', description: 'Weather.', effect: 'read', upstreams: ['forecast'], input: Type.Object({ place: Type.String() }), output: Type.Null(), handler: async () => null })
const sound: ServiceDeclaration = { name: 'weather-tool', version: '1.0.0', capabilities: [weather], upstreams: { forecast: { baseUrl: 'https://example.com' } } }
const mistakes = (more: object) => mistakesInService({ ...sound, ...more })

t.test('a sound service may start', async t => {
  t.strictSame(mistakes({}), [])
  t.strictSame(mistakes({ description: 'Weather.', stopDelayMs: 0, prefix: '/tools', logLevel: 'info' }), [])
  t.strictSame(mistakesInService({ name: 'a', version: '1', capabilities: [] }), [])
})

t.test('everything wrong with the service is told at once', async t => {
  t.strictSame(mistakes({ name: 'a b', version: '', description: 5, stopDelayMs: -1, stopDelayms: 5, colour: 'red', upstreams: [], capabilities: 'none' }), [
    'Expected only known options of a service, got `stopDelayms`. Did you mean `stopDelayMs`?',
    'Expected only known options of a service, got `colour`.',
    'Expected `name` to be 1 to 64 letters, digits, dots, hyphens or underscores.',
    'Expected `version` to be a non-empty string.',
    'Expected `description` to be a string.',
    'Expected `stopDelayMs` to be 0 or more, below 2147483648, got -1.',
    'Expected `upstreams` to be an object, each label with its options.',
    'Expected `capabilities` to be an array of what `defineCapability` returns.'
  ])
  for (const stopDelayMs of [NaN, Infinity, '5', 2 ** 31]) t.equal(mistakes({ stopDelayMs }).length, 1)
  t.equal(mistakes({ name: undefined, version: undefined }).length, 2)
})

t.test('rules of honesty, marks of made-up data and the metrics are checked', async t => {
  t.strictSame(mistakes({ honesty: { evidence: 'warn' }, mockMarkers: [{ key: 'env', values: ['sandbox', 1, true] }], metrics: false, mcp: false }), [])
  t.match(mistakes({ honesty: { evidence: 'maybe' }, mockMarkers: 'sandbox', metrics: 'yes', mcp: 1 }), [
    "Expected `honesty['evidence']` to be 'refuse', 'warn' or 'off', got a string.",
    "Expected `mockMarkers` to be an array of { key: 'env', values: ['sandbox'] }.",
    'Expected `metrics` to be a boolean, got a string.',
    'Expected `mcp` to be a boolean, got 1.'
  ])
  for (const mockMarkers of [[null], [{ key: 1, values: [] }], [{ key: 'env', values: 'x' }], [{ key: 'env', values: [null] }]]) t.match(mistakes({ mockMarkers }), [/`mockMarkers`/])
})

t.test('whether there is a page, and where the service is reached, is checked', async t => {
  const servers = [{ url: 'https://tools.example.com/weather', description: 'Production' }, { url: 'http://localhost:8080' }, { url: '/' }, { url: '/weather/' }]
  t.strictSame(mistakes({ docs: false, servers }), [])
  t.strictSame(mistakes({ docs: 'no', servers: [] }), [
    'Expected `docs` to be a boolean, got a string.',
    "Expected `servers` to be an array of { url: 'https://tools.example.com/weather', description: 'Production' }, `url` an http(s) URL or a path, without query or variables."
  ])
  for (const url of ['weather', '//example.com', '', 'ftp://example.com', 'https://', 'https://a b', '/a?b', '/a#b', 'https://{host}/', 'https://example.com\\a', 5, undefined]) t.match(mistakes({ servers: [{ url }] }), [/`servers`/], String(url))
  for (const one of ['https://example.com', null, { url: '/', description: 5 }, { url: '/', variables: {} }]) t.match(mistakes({ servers: [one] }), [/`servers`/])
  t.match(mistakes({ servers: { url: '/' } }), [/`servers`/])
})

t.test('what is wrong with an upstream and its label is told', async t => {
  t.match(mistakes({ upstreams: { ...sound.upstreams, other: { baseUrl: 'nonsense' } } }), [/`upstreams.other.baseUrl`/])
  t.match(mistakes({ upstreams: { ...sound.upstreams, 'a b': { baseUrl: 'https://example.com' } } }), [/labels of `upstreams` to be 1 to 64 .* got "a b"/])
  t.match(mistakes({ upstreams: { ...sound.upstreams, unlabelled: { baseUrl: 'https://example.com' } } }), [/not to be 'unlabelled'/])
})

t.test('what is wrong with a capability is told, against the labels there are', async t => {
  t.strictSame(mistakes({ upstreams: { forcast: { baseUrl: 'https://example.com' } } }), ["Capability 'current_weather': expected `upstreams` to name configured ones (forcast), got 'forecast'. Did you mean `forcast`?"])
})

t.test('what is not good is told apart', async t => {
  t.strictSame(warningsInService(sound), ["Capability 'current_weather': `input`: expected a `description` of every field, got none of input.place."])
})

t.test('hosts are named as a URL has them', async t => {
  t.strictSame(mistakes({ allowedHosts: ['tools.example.com', 'gateway'] }), [])
  for (const allowedHosts of ['tools.example.com', ['https://tools.example.com'], ['Tools.example.com'], ['tools.example.com:8080'], [5]]) t.match(mistakes({ allowedHosts }), [/`allowedHosts`/])
})

t.test('no text that stands in a wrong place is repeated: it may be a secret', async t => {
  const text = 'SECRET'
  const capability = { ...weather, description: '', effect: text, evidence: text, idempotent: text, hidden: text, timeoutMs: text, scopes: text, rateLimit: text, maxConcurrent: text, maxQueued: text, input: text, output: text, check: text, handler: text, upstreams: text, errors: text, examples: text, honesty: { evidence: text } }
  const upstream = { baseUrl: 'ftp://ann:SECRET@host', headers: text, auth: text, timeoutMs: text, secrets: text, refusal: text, adapters: text, dispatcher: text, simulated: text, allowTarget: text }
  const all = mistakes({
    version: 5, description: 5, upstreams: { one: upstream, two: { baseUrl: 'https://example.com', headers: { 'authorization: SECRET': '' } }, three: text }, honesty: { evidence: text }, mockMarkers: text, metrics: text, mcp: text, docs: text, allowedHosts: text, cors: text, auth: text, limits: text, servers: text, stopDelayMs: text, capabilities: [capability, text, { ...weather, name: 'other', examples: [text], errors: { GONE: text } }]
  })
  t.ok(all.length > 40)
  t.notMatch(all.join('\n'), /SECRET/)
  for (const more of [{ upstreams: text }, { capabilities: text }, { cors: { origins: text } }, { limits: { rate: text, redis: text, whenRedisIsGone: text, overload: text } }, { limits: { overload: { maxRssBytes: text } } }]) t.notMatch(mistakes(more).join('\n'), /SECRET/)
})
