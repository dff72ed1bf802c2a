import t from 'tap'
import { Agent } from 'undici'
import { DEFAULTS, mistakesInUpstream, type UpstreamOptions } from '../../../src/upstream/options.js'

const baseUrl = 'https://api.example/v1?lang=en'
const mistakes = (options: object): string[] => mistakesInUpstream('bank', options as UpstreamOptions)
const mistake = (options: object): string | undefined => mistakes({ baseUrl, ...options })[0]

t.test('everything an upstream can be told is accepted', async t => {
  t.same(mistakes({ baseUrl }), [])
  t.same(mistakes({
    baseUrl, headers: { 'x-api-key': 'k\tö' }, auth: () => 't', timeoutMs: 1, connectTimeoutMs: 0.5, headersTimeoutMs: 2 ** 31 - 1, maxBytes: 2 ** 40, maxConcurrent: 1, secrets: ['s'], refusal: () => undefined, adapters: [() => undefined], simulated: true
  }), [])
  t.same(mistakes({ baseUrl, dispatcher: new Agent() }), [])
  t.same(mistakes({ baseUrl, timeoutMs: undefined, auth: undefined }), [])
  t.same(DEFAULTS, { timeoutMs: 10_000, connectTimeoutMs: 5_000, maxBytes: 4_194_304 })
})

t.test('a target guard needs no base URL, and may have one', async t => {
  t.same(mistakes({ allowTarget: true }), [])
  t.same(mistakes({ allowTarget: ['10.0.0.0/8', '::1/128'], baseUrl: 'https://api.example', headers: { accept: 'text/html' } }), [])
})

t.test('what is no object is said so', async t => {
  t.same(mistakes('https://api.example' as never), ['Expected `upstreams.bank` to be an object, got a string.'])
  t.same(mistakes(null as never), ['Expected `upstreams.bank` to be an object, got null.'])
})

t.test('an unknown option is told with the one that was meant', async t => {
  t.equal(mistake({ timeout: 5 }), 'Expected `upstreams.bank` to have only known options, got `timeout`. Did you mean `timeoutMs`?')
  t.equal(mistake({ retries: 3 }), 'Expected `upstreams.bank` to have only known options, got `retries`.')
  t.equal(mistake({ constructor: 3 }), 'Expected `upstreams.bank` to have only known options, got `constructor`.')
})

t.test('a base URL is absolute, and is not repeated', async t => {
  for (const wrong of ['api.example', '/v1', 'ftp://SECRET@api.example', '', 'https://api.example/#a', 5, null]) {
    t.same(mistakes({ baseUrl: wrong }), ['Expected `upstreams.bank.baseUrl` to be an absolute http: or https: URL without a #fragment.'], String(wrong))
  }
  t.same(mistakes({}), ['Expected `upstreams.bank` to have a `baseUrl`.'])
})

t.test('times and sizes are positive', async t => {
  t.equal(mistake({ timeoutMs: -1 }), 'Expected `upstreams.bank.timeoutMs` to be a positive number, got -1.')
  t.equal(mistake({ connectTimeoutMs: 0 }), 'Expected `upstreams.bank.connectTimeoutMs` to be a positive number, got 0.')
  t.equal(mistake({ headersTimeoutMs: NaN }), 'Expected `upstreams.bank.headersTimeoutMs` to be a positive number, got NaN.')
  t.equal(mistake({ maxBytes: '5' }), 'Expected `upstreams.bank.maxBytes` to be a positive number, got a string.')
  t.equal(mistake({ timeoutMs: null }), 'Expected `upstreams.bank.timeoutMs` to be a positive number, got null.')
  t.equal(mistake({ timeoutMs: 2 ** 31 }), 'Expected `upstreams.bank.timeoutMs` to be at most 2147483647, got 2147483648.')
  t.equal(mistake({ maxConcurrent: 1.5 }), 'Expected `upstreams.bank.maxConcurrent` to be a positive whole number, got 1.5.')
})

t.test('every other option has its kind', async t => {
  t.equal(mistake({ auth: 'token' }), 'Expected `upstreams.bank.auth` to be a function, got a string.')
  t.equal(mistake({ refusal: {} }), 'Expected `upstreams.bank.refusal` to be a function, got an object.')
  t.equal(mistake({ adapters: [5] }), 'Expected `upstreams.bank.adapters` to be an array of functions, got an array.')
  t.equal(mistake({ secrets: 'SECRET' }), 'Expected `upstreams.bank.secrets` to be an array of strings, got a string.')
  t.equal(mistake({ simulated: 'yes' }), 'Expected `upstreams.bank.simulated` to be a boolean, got a string.')
  for (const wrong of [{}, null, { dispatch: 1 }]) t.match(mistake({ dispatcher: wrong }), 'to be an undici dispatcher')
  for (const wrong of [false, ['localhost'], '10.0.0.0/8']) t.match(mistake({ allowTarget: wrong }), 'to be true or an array of networks such as 10.0.0.0/8')
  t.match(mistake({ headers: 'x' }), 'Expected `upstreams.bank.headers` to be an object, got a string.')
})

t.test('headers are legal, and their values are not repeated', async t => {
  t.equal(mistake({ headers: { 'a b': 'x' } }), 'Expected `upstreams.bank.headers` to have legal names; number 1 is none.')
  for (const wrong of ['sk-live-SECRET\n', 'a\rb', 'x\0', '€', 5]) t.equal(mistake({ headers: { authorization: wrong } }), 'Expected `upstreams.bank.headers.authorization` to be a string without line breaks or control characters.')
})

t.test('options that contradict each other are refused', async t => {
  const both = 'Expected `upstreams.bank` to have `auth` or an authorization of its own, got both.'
  t.equal(mistake({ auth: () => 't', headers: { Authorization: 'x' } }), both)
  t.equal(mistake({ auth: () => 't', baseUrl: 'https://user@api.example' }), both)
  t.match(mistake({ dispatcher: new Agent(), connectTimeoutMs: 5 }), 'to be left out beside `dispatcher`')
  t.match(mistake({ baseUrl: undefined, dispatcher: new Agent(), allowTarget: true }), 'to be left out beside `allowTarget`')
  for (const credentials of [{ auth: () => 't' }, { headers: { 'x-api-key': 'k' } }, { baseUrl: 'https://u:p@api.example' }, { baseUrl: 'https://api.example?key=k' }]) {
    t.match(mistakes({ allowTarget: true, ...credentials })[0], 'to have no credentials beside `allowTarget`')
  }
})

t.test('all mistakes are told at once', async t => {
  t.equal(mistakes({ baseUrl: 'x', timeoutMs: 0, retries: 1 }).length, 3)
})
