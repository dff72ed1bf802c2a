import t from 'tap'
import { createCors, readableHeaders, varyByOrigin } from '../../../src/policy/cors.js'

t.test('a page of a configured origin is told that it may, by its own name', async t => {
  const cors = createCors({ origins: ['https://app.example.com', 'capacitor://localhost'] })
  for (const origin of ['https://app.example.com', 'https://app.example.com:443', 'HTTPS://APP.example.com', 'capacitor://localhost']) {
    t.ok(cors.has(origin), origin)
    t.equal(cors.answerHeaders(origin)['access-control-allow-origin'], origin)
  }
  for (const origin of ['', 'null', '*', 'undefined', 'http://app.example.com', 'https://app.example.com.evil.example', 'https://xapp.example.com', 'https://app.example.com/']) t.notOk(cors.has(origin), origin)
  t.strictSame(cors.answerHeaders('https://app.example.com'), {
    'access-control-allow-origin': 'https://app.example.com',
    'access-control-expose-headers': 'x-request-id, x-should-retry, retry-after, ratelimit, ratelimit-policy, etag, mcp-session-id, www-authenticate'
  })
  t.strictSame(cors.preflightHeaders, {
    'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
    'access-control-allow-headers': 'accept, authorization, content-type, if-none-match, last-event-id, x-request-id, traceparent, idempotency-key, x-request-timeout-ms, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id',
    'access-control-max-age': '600'
  })
})

t.test('every page there is may, if that was said, and without credentials', async t => {
  const cors = createCors({ origins: ['*'] })
  t.ok(cors.isAny && cors.has('null') && cors.has('http://evil.example'))
  t.match(cors.answerHeaders('http://evil.example'), { 'access-control-allow-origin': '*', 'access-control-allow-credentials': undefined })
})

t.test('more can be allowed', async t => {
  const cors = createCors({ origins: ['https://app.example.com'], credentials: true, allowedHeaders: ['X-API-Key', 'Accept'], exposedHeaders: ['x-total'], maxAgeSeconds: 5 })
  t.match(cors.answerHeaders('https://app.example.com'), { 'access-control-allow-credentials': 'true', 'access-control-expose-headers': /, x-total$/ })
  t.match(cors.preflightHeaders, { 'access-control-max-age': '5', 'access-control-allow-headers': /^accept, ((?!accept).)*, x-api-key$/ })
})

t.test('a cache keeps the answers for several origins apart', async t => {
  t.equal(varyByOrigin(undefined), 'Origin')
  t.equal(varyByOrigin(''), 'Origin')
  t.equal(varyByOrigin('Authorization'), 'Authorization, Origin')
  t.equal(varyByOrigin(['accept', 'x-original']), 'accept, x-original, Origin')
  for (const vary of ['Origin', 'accept,origin', '*']) t.equal(varyByOrigin(vary), vary)
})

t.test('an answer that loses its headers keeps those without which a page cannot read it', async t => {
  t.strictSame(readableHeaders({ 'access-control-allow-origin': '*', vary: ['Origin'], 'x-secret': 'x', 'content-length': 5 }), { 'access-control-allow-origin': '*', vary: 'Origin' })
})
