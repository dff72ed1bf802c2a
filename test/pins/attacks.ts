// A table of attacks on who may call, each with its answer. What a handler did is counted: it has run for nobody who may not call it.
import { KeyObject } from 'node:crypto'
import t from 'tap'
import { hashApiKey, type Capability } from 'candor'
import { build } from '../fixtures/build.js'
import { reading } from '../fixtures/capabilities.js'
import { claims, forge, hmac, rsa } from '../fixtures/forge.js'
import { createKey, jwtOptions, now, serveKeys, sign, withKeys } from '../fixtures/issuer.js'
import { legacyHeaders, messagesIn, modernHeaders, modernRpc, rpc } from '../fixtures/mcp.js'
import { listen, request, sendRaw, type RawAnswer } from '../fixtures/raw.js'

process.on('warning', warning => t.fail(warning.message))

let runs: string[] = []
const counted = (name: string, more: Partial<Capability> = {}): Capability => ({ ...reading(name, async () => { runs.push(name); return {} }), ...more })
const capabilities = [counted('free'), counted('guarded', { scopes: ['read'] }), counted('secret', { scopes: ['admin'], hidden: true })]
const apiKeys = [{ id: 'plain', sha256: hashApiKey('plain-key') }, { id: 'past', sha256: hashApiKey('past-key'), expiresAt: '2020-01-01' }]

const [key, ec, attacker] = [await createKey('k1'), await createKey('e1', 'ES256'), await createKey('k1')]
const keys = await serveKeys(t, key.jwk, ec.jwk)
const evil = await serveKeys(t, attacker.jwk)
const { app, lines } = await build(t, { upstreams: { up: { baseUrl: 'http://127.0.0.1:1' } }, capabilities, auth: { apiKeys, jwt: jwtOptions(keys.url), public: ['/docs/*'] } })
const port = await listen(app)

t.beforeEach(() => { runs = [] })

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const send = async (method: string, path: string, headers: Record<string, string> = {}, body = '') => await sendRaw(port, request(method, path, headers, body))
const callFree = async (headers: Record<string, string>) => await send('POST', '/api/capabilities/free', headers, '{}')
const codeOf = ({ body }: RawAnswer): unknown => { try { return JSON.parse(body).error?.code } catch { return undefined } }
const answerOf = (answer: RawAnswer): string => [answer.status, codeOf(answer)].filter(part => part !== undefined).join(' ')

t.test('a good token and a good key come in, or the rest of this file says nothing', async t => {
  t.equal(answerOf(await callFree(bearer(await sign(key)))), '200')
  t.equal(answerOf(await callFree(bearer(await sign(ec)))), '200')
  t.equal(answerOf(await callFree(bearer(forge({ alg: 'RS256', kid: 'k1' }, claims(), rsa(key))))), '200', 'made by hand')
  t.equal(answerOf(await callFree(bearer('plain-key'))), '200')
})

const pem = String(KeyObject.from(key.publicKey).export({ type: 'spki', format: 'pem' }))
const der = KeyObject.from(key.publicKey).export({ type: 'spki', format: 'der' })
const good = await sign(key)
const [head, body, signature] = good.split('.') as [string, string, string]
const rs = { alg: 'RS256', kid: 'k1' }
const hs = { alg: 'HS256', kid: 'k1' }
const REFUSED = '401 UNAUTHORIZED'

const tokens: Array<[attack: string, token: string, answer: string, message?: string]> = [
  ['HS256 with the public key as PEM', forge(hs, claims(), hmac(pem)), REFUSED],
  ['HS256 with the public key as PEM, trimmed', forge(hs, claims(), hmac(pem.trim())), REFUSED],
  ['HS256 with the public key as DER', forge(hs, claims(), hmac(der)), REFUSED],
  ['HS256 with the public key as JWK', forge(hs, claims(), hmac(JSON.stringify(key.jwk))), REFUSED],
  ['HS256 with the modulus', forge(hs, claims(), hmac(Buffer.from(key.jwk.n!, 'base64url'))), REFUSED],
  ['HS256 with an empty secret', forge(hs, claims(), hmac('')), REFUSED],
  ...['none', 'None', 'NONE', 'nOnE', ''].flatMap((alg): Array<[string, string, string]> => [
    [`alg ${alg}, unsigned`, forge({ alg, kid: 'k1' }, claims(), () => ''), REFUSED],
    [`alg ${alg}, with a signature`, forge({ alg, kid: 'k1' }, claims(), rsa(key)), REFUSED]
  ]),
  ['no alg', forge({ kid: 'k1' }, claims(), rsa(key)), REFUSED],
  ['alg twice', forge('{"alg":"none","kid":"k1","alg":"RS256"}', claims(), () => ''), REFUSED],
  ['alg as a list', forge({ alg: ['RS256'], kid: 'k1' }, claims(), rsa(key)), REFUSED],
  ['another alg of the same key', forge({ alg: 'RS384', kid: 'k1' }, claims(), rsa(key)), REFUSED],
  ['ES256 under the name of an RSA key', forge({ alg: 'ES256', kid: 'e1' }, claims(), rsa(key)), REFUSED],
  ['ES256 signed with zeros', forge({ alg: 'ES256', kid: 'e1' }, claims(), () => Buffer.alloc(64).toString('base64url')), REFUSED],
  ['no signature', `${head}.${body}.`, REFUSED],
  ['a signature cut short', `${head}.${body}.${signature.slice(0, -8)}`, REFUSED],
  ['a payload of its own', `${head}.${Buffer.from(JSON.stringify(claims({ sub: 'admin' }))).toString('base64url')}.${signature}`, REFUSED],
  ['a header of its own', `${Buffer.from(JSON.stringify({ ...rs, typ: 'x' })).toString('base64url')}.${body}.${signature}`, REFUSED],
  ['no JSON in the header', forge('{', claims(), rsa(key)), REFUSED],
  ['no JSON in the payload', forge(rs, 'ann', rsa(key)), REFUSED],
  ['a list as the payload', forge(rs, [claims()], rsa(key)), REFUSED],
  ['a critical extension that nobody knows', forge({ ...rs, crit: ['evil'], evil: true }, claims(), rsa(key)), REFUSED],
  ['no critical extension in a list of them', forge({ ...rs, crit: [] }, claims(), rsa(key)), REFUSED],
  ['a payload that is not encoded', forge({ ...rs, crit: ['b64'], b64: false }, claims(), rsa(key)), REFUSED],
  ['a key of the attacker under a known name', forge(rs, claims(), rsa(attacker)), REFUSED],
  ['the key in the token', forge({ ...rs, jwk: attacker.jwk }, claims(), rsa(attacker)), REFUSED],
  ['the key at an address in the token', forge({ ...rs, jku: evil.url }, claims(), rsa(attacker)), REFUSED],
  ['a certificate at an address in the token', forge({ ...rs, x5u: evil.url, x5t: 'x' }, claims(), rsa(attacker)), REFUSED],
  ['a certificate in the token', forge({ ...rs, x5c: ['MIIB'] }, claims(), rsa(attacker)), REFUSED],
  ['another issuer', forge(rs, claims({ iss: 'https://evil.example' }), rsa(key)), REFUSED],
  ['the issuer with a slash', forge(rs, claims({ iss: 'https://issuer.example/' }), rsa(key)), REFUSED],
  ['the issuer in another case', forge(rs, claims({ iss: 'https://ISSUER.example' }), rsa(key)), REFUSED],
  ['no issuer', forge(rs, claims({ iss: undefined }), rsa(key)), REFUSED],
  ['an ID token: its audience is the client', forge(rs, claims({ aud: 'client-1', azp: 'client-1', nonce: 'n' }), rsa(key)), REFUSED],
  ['the audience of another service', forge(rs, claims({ aud: ['https://else.example'] }), rsa(key)), REFUSED],
  ['no audience', forge(rs, claims({ aud: undefined }), rsa(key)), REFUSED],
  ['expired', forge(rs, claims({ exp: now() - 300 }), rsa(key)), REFUSED, 'The token has expired.'],
  ['expired, just outside the skew', forge(rs, claims({ exp: now() - 61 }), rsa(key)), REFUSED, 'The token has expired.'],
  ['expired, within the skew', forge(rs, claims({ exp: now() - 30 }), rsa(key)), '200'],
  ['not valid yet', forge(rs, claims({ nbf: now() + 300 }), rsa(key)), REFUSED, 'The token is not valid yet.'],
  ['not valid yet, within the skew', forge(rs, claims({ nbf: now() + 30 }), rsa(key)), '200'],
  ['never expires', forge(rs, claims({ exp: undefined }), rsa(key)), REFUSED],
  ['expires as a text', forge(rs, claims({ exp: String(now() + 300) }), rsa(key)), REFUSED],
  ['expires at 1e999', forge(rs, JSON.stringify(claims()).replace(/"exp":\d+/, '"exp":1e999'), rsa(key)), REFUSED],
  ['nobody', forge(rs, claims({ sub: undefined }), rsa(key)), REFUSED],
  ['nobody by name', forge(rs, claims({ sub: '' }), rsa(key)), REFUSED],
  ['expired, and signed by an attacker: nothing is said of its time', forge(rs, claims({ exp: 5 }), rsa(attacker)), REFUSED, 'The token is not accepted here.'],
  ['two parts', `${head}.${body}`, '401 API_KEY_INVALID'],
  ['five parts, as if encrypted', `${good}.a.b`, '401 API_KEY_INVALID'],
  ['a hash of a key instead of the key', hashApiKey('plain-key'), '401 API_KEY_INVALID'],
  ['a key that has ended', 'past-key', '401 API_KEY_INVALID'],
  ['the beginning of a key', 'plain-ke', '401 API_KEY_INVALID'],
  ['a key in another case', 'PLAIN-KEY', '401 API_KEY_INVALID'],
  ['15,000 characters', 'a'.repeat(15_000), '401 API_KEY_INVALID'],
  ['a JWT of 15,000 characters', `${head}.${'a'.repeat(14_000)}.${signature}`, REFUSED],
  ['more than a header may be', 'a'.repeat(20_000), '431 HEADERS_TOO_LARGE']
]

for (const [attack, token, expected, message] of tokens) {
  t.test(`a token: ${attack}`, async t => {
    const answer = await callFree(bearer(token))
    t.equal(answerOf(answer), expected)
    if (message !== undefined) t.equal(JSON.parse(answer.body).error.message, message)
    t.strictSame(runs, expected === '200' ? ['free'] : [])
    t.notMatch(answer.text, token)
  })
}

t.test('a name of a key is a name, and never an address, a path or a query', async t => {
  const kids = ['../../../../dev/null', "' OR '1'='1", evil.url, '__proto__', 'constructor', '', 'k1\u0000', 'x'.repeat(4_000)]
  const answers = await Promise.all(kids.map(async kid => await callFree(bearer(forge({ alg: 'RS256', kid }, claims(), rsa(attacker))))))
  t.strictSame(answers.map(answerOf), kids.map(() => REFUSED))
  t.strictSame(runs, [])
})

t.test('the server of the attacker was never asked, and no token stands in the log', async t => {
  t.equal(evil.hits, 0)
  const log = JSON.stringify(lines)
  for (const secret of ['plain-key', 'past-key', signature, body]) t.notOk(log.includes(secret))
})

const allowed = bearer('plain-key').authorization
const headers: Array<[attack: string, lines: string[], answer: string]> = [
  ['a good key, then a bad one', [`authorization: ${allowed}`, 'authorization: Bearer x'], REFUSED],
  ['a bad key, then a good one', ['authorization: Bearer x', `Authorization: ${allowed}`], REFUSED],
  ['the same key twice', [`authorization: ${allowed}`, `AUTHORIZATION: ${allowed}`], REFUSED],
  ['the scheme twice', [`authorization: Bearer ${allowed}`], REFUSED],
  ['two keys in one header', [`authorization: ${allowed}, ${allowed}`], REFUSED],
  ['another scheme', [`authorization: Basic ${Buffer.from('plain-key:').toString('base64')}`], REFUSED],
  ['no scheme', ['authorization: plain-key'], REFUSED],
  ['a scheme in capitals: the same scheme', ['AUTHORIZATION: BEARER plain-key'], '200'],
  ['a letter of another alphabet', ['authorization: Bearer plаin-key'], REFUSED],
  ['a header that is folded', ['authorization: Bearer', ' plain-key'], '400 MALFORMED_REQUEST'],
  ['a space before the colon', [`authorization : ${allowed}`], '400 MALFORMED_REQUEST'],
  ['a control character', ['authorization: Bearer plain-key\u0001'], '400 MALFORMED_REQUEST'],
  ['an underscore for a hyphen', [`proxy_authorization: ${allowed}`, `authorization_: ${allowed}`], REFUSED],
  ['a header of proxies', [`proxy-authorization: ${allowed}`, `x-authorization: ${allowed}`, `x-forwarded-authorization: ${allowed}`], REFUSED],
  ['who a proxy says that one is', ['x-forwarded-user: admin', 'x-user: admin', 'x-remote-user: admin', 'remote-user: admin', 'x-client-cert: x'], REFUSED],
  ['from where a proxy says that one is', ['x-forwarded-for: 127.0.0.1', 'x-real-ip: 127.0.0.1', 'forwarded: for=127.0.0.1;host=localhost;proto=https'], REFUSED],
  ['another address for a proxy', ['x-original-url: /health', 'x-rewrite-url: /health', 'x-forwarded-uri: /health', 'x-forwarded-prefix: /health'], REFUSED],
  ['another method', ['x-http-method-override: GET', 'x-http-method: GET', 'x-method-override: GET'], REFUSED],
  ['a cookie', ['cookie: access_token=plain-key; authorization=Bearer plain-key'], REFUSED]
]

for (const [attack, extra, expected] of headers) {
  t.test(`a header: ${attack}`, async t => {
    const answer = await sendRaw(port, `POST /api/capabilities/free HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: 2\r\n${extra.map(line => `${line}\r\n`).join('')}\r\n{}`)
    t.equal(answerOf(answer), expected)
    t.strictSame(runs, expected === '200' ? ['free'] : [])
  })
}

t.test('a request that two readers would end at two places is no request', async t => {
  const smuggled = 'POST /api/capabilities/free HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer plain-key\r\ncontent-length: 2\r\n\r\n{}'
  for (const framing of ['content-length: 4\r\ntransfer-encoding: chunked', 'transfer-encoding: chunked\r\ncontent-length: 4', 'content-length: 0\r\ncontent-length: 10', 'transfer-encoding: xchunked', 'transfer-encoding: chunked, identity', 'content-length: +5', 'transfer-encoding: chunked\r\ntransfer-encoding: identity']) {
    const answer = await sendRaw(port, `POST /health HTTP/1.1\r\nhost: localhost\r\n${framing}\r\n\r\n0\r\n\r\n${smuggled}`)
    t.equal(answerOf(answer), '400 MALFORMED_REQUEST', framing)
    t.notMatch(answer.text.slice(15), /HTTP\/1\.1 200/)
  }
  t.strictSame(runs, [])
})

t.test('credentials are taken from the header alone', async t => {
  for (const query of ['access_token=plain-key', 'token=plain-key', 'authorization=Bearer%20plain-key', 'api_key=plain-key']) t.equal(answerOf(await send('POST', `/api/capabilities/free?${query}`, {}, '{}')), REFUSED, query)
  t.equal(answerOf(await send('POST', '/api/capabilities/free', { 'content-type': 'application/x-www-form-urlencoded' }, 'access_token=plain-key')), REFUSED)
  t.strictSame(runs, [])
})

const HIDDEN_PATHS = [
  '/api/capabilities', '/API/capabilities', '/Api/Capabilities', '//api/capabilities', '/api//capabilities', '/api/./capabilities', '/api/capabilities/', '/%61pi/capabilities', '/api%2fcapabilities',
  '/health/../api/capabilities', '/health/..%2fapi/capabilities', '/health/%2e%2e/api/capabilities', '/docs/../api/capabilities', '/docs/..%2fapi/capabilities', '/docs/..%2f..%2fapi%2fcapabilities', '/docs/%2e%2e/openapi.json',
  '/docs/..;/api/capabilities', '/docs/x', '/docs/../openapi.json', '/docs%2fstart.js', '/health;x', '/health;/api/capabilities', '/health/', '/HEALTH', '/health/x', '/health%2f', '/health%20', '/health%00', '/.well-known/../api/capabilities',
  '/.well-known/oauth-protected-resource/../../api/capabilities', '/.well-known/oauth-protected-resource/x', '/api/capabilities?/health', '/api/capabilities?x=/docs/x', '/api/capabilities;/health', '/api/capabilities#/health', '/api/capabilities/free%00', '/api/capabilities/free', '/api/capabilities/secret',
  '/api/capabilities/free/schema', '/openapi.json', '/openapi.json?format=/docs', '/metrics', '/mcp', '/mcp/', '/mcp/health', '/', '//', '/.', '/..', '/*', '/:x', '/nowhere', 'http://localhost/api/capabilities', 'http://localhost/health/../api/capabilities'
]

t.test('no spelling of an address comes in without credentials', async t => {
  for (const path of HIDDEN_PATHS) {
    const answer = await send('GET', path)
    t.equal(answer.status, 401, path)
    if (!path.startsWith('/mcp')) t.equal(answerOf(answer), REFUSED, path)
  }
  for (const path of ['http://evil.example/api/capabilities', 'http://evil.example/health']) t.equal(answerOf(await send('GET', path)), '400 MALFORMED_REQUEST', path)
})

t.test('what is open is open by what it is, and not by how it is spelt', async t => {
  for (const path of ['/health', '/%68ealth', '/health?x=/api/capabilities', '/health#x', '/ready', '/docs', '/docs/start.js', '/.well-known/oauth-protected-resource/mcp']) t.equal((await send('GET', path)).status, 200, path)
  t.match(JSON.parse((await send('GET', '/%68ealth')).body), { status: 'healthy' })
})

t.test('no method comes in without credentials', async t => {
  for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY', 'SEARCH']) {
    for (const path of ['/api/capabilities', '/api/capabilities/free', '/mcp', '/nowhere']) t.equal((await send(method, path)).status, 401, `${method} ${path}`)
  }
  for (const method of ['PUT', 'POST', 'DELETE', 'OPTIONS']) t.equal(answerOf(await send(method, '/health')), REFUSED, `${method} /health`)
  t.equal((await send('HEAD', '/health')).status, 200)
  t.equal((await send('OPTIONS', '*')).status, 401)
  t.strictSame(runs, [])
})

const scoped: Array<[path: string, answer: string]> = [
  ['/api/capabilities/guarded', '403 FORBIDDEN'],
  ['/api/capabilities/%67uarded', '403 FORBIDDEN'],
  ['/api/capabilities/guarde%64', '403 FORBIDDEN'],
  ['/api/capabilities/guarded?scope=read&scopes[]=read', '403 FORBIDDEN'],
  ['/api/capabilities/guarded#free', '403 FORBIDDEN'],
  ['/api/capabilities/GUARDED', '404 CAPABILITY_NOT_FOUND'],
  ['/api/capabilities/guarded%20', '404 CAPABILITY_NOT_FOUND'],
  ['/api/capabilities/guarded%00', '404 CAPABILITY_NOT_FOUND'],
  ['/api/capabilities/guarded;free', '404 CAPABILITY_NOT_FOUND'],
  ['/api/capabilities/free%2f..%2fguarded', '404 CAPABILITY_NOT_FOUND'],
  ['/api/capabilities/secret', '404 CAPABILITY_NOT_FOUND'],
  ['/api/capabilities/%2573ecret', '404 CAPABILITY_NOT_FOUND'],
  ['/API/capabilities/guarded', '404 ROUTE_NOT_FOUND'],
  ['//api/capabilities/guarded', '404 ROUTE_NOT_FOUND'],
  ['/api/capabilities//guarded', '404 ROUTE_NOT_FOUND'],
  ['/api/capabilities/guarded/', '404 ROUTE_NOT_FOUND'],
  ['/api/capabilities/free/../guarded', '404 ROUTE_NOT_FOUND'],
  ['/health/../api/capabilities/guarded', '404 ROUTE_NOT_FOUND']
]

for (const [path, expected] of scoped) {
  t.test(`scopes hold at ${path}`, async t => {
    for (const extra of [{}, { 'x-original-url': '/api/capabilities/free', 'x-http-method-override': 'GET', 'x-scopes': 'read', scope: 'read' }] as Array<Record<string, string>>) {
      t.equal(answerOf(await send('POST', path, { ...bearer('plain-key'), ...extra }, '{"scopes":["read"],"__scopes":"read"}')), expected)
    }
    t.strictSame(runs, [])
  })
}

const mcp = async (payload: unknown, more: Record<string, string> = {}) => await send('POST', '/mcp', { ...legacyHeaders(), ...bearer('plain-key'), ...more }, JSON.stringify(payload))
const callOf = (name: string, id = 1, more: object = {}): object => rpc('tools/call', { name, arguments: {}, ...more }, id)
// Of a stream in chunks, what the chunks hold.
const resultsOf = ({ body }: RawAnswer) => messagesIn(body.replace(/^[\da-f]+\r?$/gm, '')).map(({ id, result, error }) => [id, result?.structuredContent.error?.code ?? result?.structuredContent.success ?? error?.code])

t.test('MCP is no way around the scopes of a tool', async t => {
  t.strictSame(resultsOf(await mcp(callOf('guarded'))), [[1, 'FORBIDDEN']])
  t.strictSame(resultsOf(await mcp(callOf('secret'))), [[1, 'CAPABILITY_NOT_FOUND']])
  t.strictSame(resultsOf(await mcp(callOf('free', 1, { _meta: { name: 'guarded', scopes: ['read'] } }))), [[1, true]], 'the name is what `name` says')
  t.strictSame(resultsOf(await mcp(callOf('guarded', 1, { _meta: { name: 'free', scopes: ['read'], principal: { id: 'admin' } } }))), [[1, 'FORBIDDEN']])
  t.strictSame(runs, ['free'])
})

t.test('a batch is judged call by call', async t => {
  const answers = resultsOf(await mcp([callOf('free', 1), callOf('guarded', 2), callOf('secret', 3)]))
  t.strictSame(answers.sort(), [[1, true], [2, 'FORBIDDEN'], [3, 'CAPABILITY_NOT_FOUND']])
  t.strictSame(runs, ['free'])
})

t.test('a header that names another tool than the body is refused', async t => {
  for (const [header, named] of [['free', 'guarded'], ['guarded', 'free']] as const) {
    const answer = await send('POST', '/mcp', { ...modernHeaders('tools/call', header), ...bearer('plain-key') }, JSON.stringify(modernRpc('tools/call', { name: named, arguments: {} })))
    t.equal(answer.status, 400, header)
  }
  t.equal((await send('POST', '/mcp', { ...modernHeaders('tools/list'), ...bearer('plain-key') }, JSON.stringify(modernRpc('tools/call', { name: 'guarded', arguments: {} })))).status, 400)
  t.strictSame(runs, [])
})

t.test('a call that wants no answer is none', async t => {
  for (const name of ['free', 'guarded', 'secret']) t.match((await mcp({ jsonrpc: '2.0', method: 'tools/call', params: { name, arguments: {} } })).status, 202, name)
  t.strictSame(runs, [])
})

t.test('a session gives nobody more than its own credentials do', async t => {
  const nobody = await send('POST', '/mcp', { ...legacyHeaders('0b9f0000-0000-4000-8000-000000000000') }, JSON.stringify(callOf('free')))
  t.match([nobody.status, JSON.parse(nobody.body)], [401, { jsonrpc: '2.0', error: { code: -32000 } }])
  t.match(nobody.headers, { 'www-authenticate': /^Bearer realm="test-tool", resource_metadata="http:\/\/localhost\/.well-known\/oauth-protected-resource\/mcp"$/ })
  t.strictSame(resultsOf(await mcp(callOf('guarded'), { 'mcp-session-id': 'of-an-admin' })), [[1, 'FORBIDDEN']])
  t.strictSame(runs, [])
})

t.test('a hidden capability and one that there is not answer the same, but for the name that was asked for', async t => {
  const same = (text: string): string => text.replace(/[\da-f]{8}-[\da-f-]{27}/g, 'id').replace(/^date: .*$/mi, '').replace(/content-length: \d+/i, '').replace(/^[\da-f]+\r?$/gm, '')
  const asking: Array<(name: string) => Promise<RawAnswer>> = [
    async name => await send('POST', `/api/capabilities/${name}`, bearer('plain-key'), '{}'),
    async name => await send('POST', `/api/capabilities/${name}`, bearer('plain-key'), '{'),
    async name => await send('GET', `/api/capabilities/${name}`, bearer('plain-key')),
    async name => await send('GET', `/api/capabilities/${name}/schema`, bearer('plain-key')),
    async name => await send('POST', `/api/capabilities/${name}`, {}, '{}'),
    async name => await send('GET', `/api/capabilities/${name}`),
    async name => await mcp(callOf(name))
  ]
  for (const [index, ask] of asking.entries()) {
    const [hidden, unknown] = [await ask('secret'), await ask('sacret')]
    t.equal(same(hidden.text).replaceAll('secret', 'sacret'), same(unknown.text), String(index))
    t.notMatch(unknown.text, /secret|guarded/)
  }
})

t.test('no misspelling, and no list, tells a caller of what it may not call', async t => {
  const texts = await Promise.all(['/api/capabilities', '/api/capabilities?format=mcp', '/api/capabilities?format=openai', '/openapi.json', '/api/capabilities/guardd', '/api/capabilities/secrt', '/api/capabilities/gaurded/schema', '/api/capabilities/guarded', '/nowhere'].map(async path => (await send('GET', path, bearer('plain-key'))).text))
  for (const text of [...texts, (await mcp(rpc('tools/list'))).text, (await mcp(callOf('guardd'))).text]) t.notMatch(text.replace("capability 'guarded'", ''), /guarded|secret/)
  t.match(texts[0], /free/)
})

t.test('a key that came a moment ago is taken from its first token on, and one that went is none', async t => {
  const fresh = await createKey('k2')
  keys.answer = withKeys(fresh.jwk)
  const token = await sign(fresh)
  const answers = await Promise.all(Array.from({ length: 20 }, async () => await callFree(bearer(token))))
  t.strictSame([...new Set(answers.map(answerOf))], ['200'])
  t.equal(answerOf(await callFree(bearer(good))), REFUSED)
})

t.test('an authorization server that is down makes nobody wrong', async t => {
  keys.answer = (_, response) => { response.writeHead(503).end() }
  const unknown = await createKey('k3')
  t.equal(answerOf(await callFree(bearer(await sign(unknown)))), '503 AUTH_PROVIDER_UNAVAILABLE')
  t.equal(answerOf(await callFree(bearer('plain-key'))), '200', 'a key needs no server')
  const silent = await serveKeys(t)
  silent.answer = (_, response) => { response.destroy() }
  const other = await build(t, { upstreams: { up: { baseUrl: 'http://127.0.0.1:1' } }, capabilities, auth: { jwt: jwtOptions(silent.url) } })
  t.match((await other.app.inject({ url: '/api/capabilities', headers: bearer(good) })).json(), { error: { code: 'AUTH_PROVIDER_UNAVAILABLE', retryable: true } })
})

t.test('a key that nobody can check by is looked for again, and a set without keys makes nobody wrong', async t => {
  const weak = { kty: 'RSA', kid: 'k1', n: 'AQAB', e: 'AQAB' }
  const server = await serveKeys(t, weak, ec.jwk)
  const { app } = await build(t, { upstreams: { up: { baseUrl: 'http://127.0.0.1:1' } }, capabilities, auth: { jwt: jwtOptions(server.url) } })
  const ask = async () => (await app.inject({ url: '/api/capabilities', headers: bearer(good) })).statusCode
  t.equal(await ask(), 401)
  server.answer = withKeys(key.jwk)
  t.equal(await ask(), 200)
  for (const keys of [[], [weak]]) {
    const empty = await serveKeys(t, ...keys)
    const { app } = await build(t, { upstreams: { up: { baseUrl: 'http://127.0.0.1:1' } }, capabilities, auth: { jwt: jwtOptions(empty.url) } })
    t.match((await app.inject({ url: '/api/capabilities', headers: bearer(good) })).json(), { error: { code: 'AUTH_PROVIDER_UNAVAILABLE' } })
  }
})

t.test('a host leaves no part of a challenge', async t => {
  const { app } = await build(t, { upstreams: { up: { baseUrl: 'http://127.0.0.1:1' } }, capabilities, auth: { jwt: jwtOptions(keys.url) } })
  for (const host of ['a",error="insufficient_scope', "a',b", 'a"', 'x@a', 'a\\"b']) t.equal((await app.inject({ url: '/mcp', headers: { host } })).headers['www-authenticate'], 'Bearer realm="test-tool"', host)
})
