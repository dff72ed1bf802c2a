import t from 'tap'
import { readTarget } from '../../../src/upstream/target.js'
import { wireRequest } from '../../../src/upstream/wire-request.js'

const target = readTarget({ baseUrl: 'https://api.example/v1', headers: { 'x-api-key': 'key' } })
const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

t.test('a request names its target, what it accepts and the upstream\'s headers', async t => {
  t.same(wireRequest(target, 'GET', '/a/{b}', { params: { b: 'c' }, query: { d: 1 } }), {
    origin: 'https://api.example', path: '/v1/a/c?d=1', method: 'GET', headers: { accept: 'application/json', 'x-api-key': 'key' }, body: undefined
  })
})

t.test('a body goes as JSON, as a form or as it is', async t => {
  t.match(wireRequest(target, 'POST', '/', { json: null }), { headers: { 'content-type': 'application/json' }, body: 'null' })
  t.match(wireRequest(target, 'POST', '/', { form: { a: 'b c', d: [1, 2] } }), { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'a=b+c&d=1&d=2' })
  const raw = new Uint8Array([1, 2])
  t.match(wireRequest(target, 'POST', '/', { body: raw, headers: { 'Content-Type': 'image/png' } }), { headers: { 'content-type': 'image/png' }, body: raw })
  t.equal(wireRequest(target, 'POST', '/', { body: 'text' }).headers['content-type'], undefined)
})

t.test('the request\'s own headers go before the upstream\'s', async t => {
  t.match(wireRequest(target, 'GET', '/', { headers: { Accept: 'text/csv', 'X-API-Key': 'other' } }).headers, { accept: 'text/csv', 'x-api-key': 'other' })
})

t.test('two bodies are a mistake', async t => {
  t.throws(() => wireRequest(target, 'POST', '/', { json: 1, body: 'x' }), { name: 'TypeError', message: 'Expected at most one of `json`, `form` and `body`.' })
})

t.test('a trace is passed on where it is one, and never to a target a caller chose', async t => {
  t.equal(wireRequest(target, 'GET', '/', {}, TRACE).headers.traceparent, TRACE)
  t.equal(wireRequest(target, 'GET', '/', { headers: { traceparent: 'own' } }, TRACE).headers.traceparent, 'own')
  for (const wrong of ['', 'garbage', `${TRACE}\n`, TRACE.toUpperCase()]) t.equal(wireRequest(target, 'GET', '/', {}, wrong).headers.traceparent, undefined, wrong)
  t.equal(wireRequest(readTarget({ allowTarget: true }), 'GET', 'https://example.com', {}, TRACE).headers.traceparent, undefined)
})

t.test('a value that would lead to another path is the caller\'s to correct', async t => {
  t.throws(() => wireRequest(target, 'GET', '/{id}', { params: { id: '..' } }), {
    code: 'INVALID_INPUT', category: 'INPUT_ERROR', status: 400, retryable: true, details: { field: 'id' }, message: 'The value for id cannot be part of an address: "", "." and ".." are not allowed.'
  })
  t.throws(() => wireRequest(target, 'GET', 'id', {}), { name: 'TypeError' })
})
