import t from 'tap'
import { hashApiKey } from '../../../src/policy/api-keys.js'
import { mistakesInAuth } from '../../../src/policy/auth-options.js'
import { echo } from '../../fixtures/capabilities.js'
import { createKey, jwtOptions } from '../../fixtures/issuer.js'

const apiKeys = [{ id: 'agent', sha256: hashApiKey('k') }]
const guarded = { ...echo, name: 'guarded', scopes: ['read'] }

t.test('any way to know callers will do', async t => {
  const jwt = jwtOptions(await createKey())
  for (const auth of [{ apiKeys }, { jwt }, { authenticate: () => undefined }, { apiKeys: [], jwt }, { apiKeys, public: ['/metrics', '/docs/*'], resource: 'https://a.example/mcp' }]) t.strictSame(mistakesInAuth(auth, [guarded]), [])
})

t.test('without any, nobody could call', async t => {
  for (const auth of [{}, { apiKeys: [] }, { public: ['/metrics'] }]) t.strictSame(mistakesInAuth(auth, []), ['Expected `auth` to name a way to know callers: `apiKeys`, `jwt` or `authenticate`; without one nobody could call.'])
})

t.test('everything wrong is told at once', async t => {
  for (const auth of [null, 'x', []]) t.match(mistakesInAuth(auth, []), [/^Expected `auth` to be an object/])
  t.match(mistakesInAuth({ apikeys: [], apiKeys: 5, jwt: null, authenticate: 'x', public: '/metrics', resource: 'mcp' }, []), [/Did you mean `apiKeys`/, /auth.apiKeys/, /auth.jwt/, /auth.authenticate/, /auth.public/, /auth.resource/])
  t.match(mistakesInAuth({ apiKeys, public: ['/*'] }, []), [/auth.public/])
})

t.test('scopes that nobody would be asked for are a mistake', async t => {
  t.strictSame(mistakesInAuth(undefined, [echo, guarded]), ["Capability 'guarded': expected `auth` of the service beside `scopes`; without it nobody is asked who calls."])
  t.strictSame(mistakesInAuth(undefined, [echo]), [])
  for (const strange of [undefined, [null, 'x', { scopes: 5 }]]) t.strictSame(mistakesInAuth(undefined, strange as never), [])
})
