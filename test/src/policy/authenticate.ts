import t from 'tap'
import { hashApiKey } from '../../../src/policy/api-keys.js'
import type { AuthOptions, Credentials } from '../../../src/policy/auth-options.js'
import { createAuthenticator } from '../../../src/policy/authenticate.js'
import type { Bearer } from '../../../src/policy/bearer.js'
import { createToolError } from '../../../src/protocol/tool-error.js'
import { createKey, jwtOptions, serveKeys, sign } from '../../fixtures/issuer.js'

const key = await createKey()
const apiKeys = [{ id: 'agent', sha256: hashApiKey('good') }]
const jwt = jwtOptions(key)
const request = { headers: { 'x-user': 'ann' }, ip: '10.0.0.1' }
const ask = async (auth: AuthOptions, bearer: Bearer) => await createAuthenticator(auth)(bearer, request)
const ann = { id: 'mine:ann', scopes: ['read'], claims: {} }

t.test('keys are asked first, then tokens that have the form of one', async t => {
  const all: AuthOptions = { apiKeys, jwt }
  t.match(await ask(all, { token: 'good' }), { principal: { id: 'key:agent' } })
  t.match(await ask(all, { token: await sign(key) }), { principal: { id: 'jwt:ann' } })
  t.strictSame(await ask(all, { token: 'bad' }), { refused: 'unknown_key' })
  t.strictSame(await ask(all, { token: 'a.b.c' }), { refused: 'not_accepted' })
  t.strictSame(await ask({ apiKeys }, { token: 'a.b.c' }), { refused: 'unknown_key' })
  t.strictSame(await ask({ jwt }, { token: 'bad' }), { refused: 'unknown' })
  for (const problem of ['missing', 'malformed', 'repeated'] as const) t.strictSame(await ask(all, { problem }), { refused: problem })
})

t.test('the team’s own function is asked about whoever is not known yet, with a token or without', async t => {
  const seen: Credentials[] = []
  const auth: AuthOptions = { apiKeys, jwt, authenticate: async credentials => { seen.push(credentials); return credentials.token === 'theirs' || credentials.headers['x-user'] === 'ann' ? ann : undefined } }
  t.strictSame(await ask(auth, { token: 'theirs' }), { principal: ann })
  t.strictSame(await ask(auth, { problem: 'missing' }), { principal: ann })
  t.match(await ask(auth, { token: 'good' }), { principal: { id: 'key:agent' } })
  t.strictSame(seen, [{ token: 'theirs', ...request }, { token: undefined, ...request }])
  t.strictSame(await ask(auth, { problem: 'repeated' }), { refused: 'repeated' }, 'but not where two things are said')
  t.strictSame(await ask({ authenticate: () => undefined }, { token: 'x' }), { refused: 'unknown' })
  t.strictSame(await ask({ authenticate: () => undefined, jwt }, { token: await sign(key, { exp: 5 }) }), { refused: 'expired' })
})

t.test('keys that cannot be had are no reason to let anybody in, nor to keep out whom the team knows', async t => {
  const server = await serveKeys(t)
  server.answer = (_, response) => { response.destroy() }
  const token = await sign(key)
  t.match(await ask({ jwt: jwtOptions(server.url), authenticate: () => undefined }, { token }), { unavailable: {} })
  t.strictSame(await ask({ jwt: jwtOptions(server.url), authenticate: () => ann }, { token }), { principal: ann })
})

t.test('what the function throws is its answer, or says that nobody can be asked', async t => {
  const failure = createToolError({ code: 'ACCOUNT_LOCKED', category: 'AUTH_ERROR', status: 403, message: 'The account is locked.' })
  const thrown = async (error: unknown) => await ask({ authenticate: () => { throw error } }, { token: 'x' })
  t.strictSame(await thrown(failure), { failure })
  for (const error of [new Error('no database'), null, 'x', { statusCode: 401 }]) t.strictSame(await thrown(error), { unavailable: error })
  const forged = Object.assign(Object.create(Object.getPrototypeOf(failure)), { ...failure, status: 200 })
  t.strictSame(await thrown(forged), { broken: forged })
})

t.test('it has its time, and what comes later is dropped', async t => {
  process.on('unhandledRejection', () => t.fail('nobody waits for it'))
  const late: Array<(settle: { resolve: (value?: never) => void, reject: (error: Error) => void }) => void> = [({ resolve }) => resolve(), ({ reject }) => reject(new Error('late')), () => {}]
  for (const settle of late) {
    let pending: Parameters<typeof settle>[0]
    const authenticate = () => new Promise<undefined>((resolve, reject) => { pending = { resolve: resolve as never, reject } })
    t.match(await createAuthenticator({ authenticate }, 20)({ token: 'x' }, request), { unavailable: { message: '`authenticate` did not answer in 20 ms.' } })
    settle(pending!)
    await new Promise(resolve => setImmediate(resolve))
  }
})

t.test('what a write did is not its to say', async t => {
  const failure = createToolError({ code: 'BUSY', category: 'SERVICE_ERROR', message: 'Busy.', retryAfterMs: 5_000, details: { outcome: 'unknown', queue: 7 } })
  t.match(await ask({ authenticate: () => { throw failure } }, { token: 'x' }), { failure: { code: 'BUSY', retryable: true, retryAfterMs: 5_000, details: { outcome: undefined, queue: '7' } } })
})

t.test('what cannot be looked at is a mistake of its own', async t => {
  const failing = (what: object) => new Proxy(what, { get () { throw Object.assign(new Error('no'), { statusCode: 404 }) } })
  const principal = { get id (): string { throw Object.assign(new Error('no'), { statusCode: 404 }) }, scopes: [], claims: {} }
  t.match(await ask({ authenticate: () => principal }, { token: 'x' }), { broken: { message: 'no' } })
  t.match(await ask({ authenticate: () => ({ ...ann, claims: { get team () { throw new Error('no team') } } }) }, { token: 'x' }), { broken: { message: 'no team' } })
  t.match(Object.keys(await ask({ authenticate: () => { throw failing({}) } }, { token: 'x' })), ['unavailable'])
  let changing = 0
  t.match(await ask({ authenticate: () => ({ ...ann, get id () { return ++changing === 1 ? 'ann' : '' } }) }, { token: 'x' }), { principal: { id: 'ann' } }, 'and is looked at once')
})

t.test('what it returns is a principal, or a mistake of its own', async t => {
  const returned = async (given: unknown) => await ask({ authenticate: () => given as never }, { token: 'x' })
  t.strictSame(await returned({ ...ann, more: 1 }), { principal: ann })
  for (const given of [null, false, '', 'ann', [], {}, { ...ann, id: '' }, { ...ann, id: 5 }, { ...ann, scopes: 'read' }, { ...ann, scopes: ['a b'] }, { ...ann, claims: null }]) {
    t.match(await returned(given), { broken: { name: 'TypeError', message: /^Expected `authenticate` to return a principal or undefined: / } }, JSON.stringify(given))
  }
})
