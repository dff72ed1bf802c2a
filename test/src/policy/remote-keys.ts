import * as jose from 'jose'
import t from 'tap'
import { KeysUnavailable, RemoteKeys } from '../../../src/policy/remote-keys.js'
import { createKey, serveKeys, withKeys, type KeyServer, type SigningKey } from '../../fixtures/issuer.js'

const [first, second] = [await createKey('k1'), await createKey('k2')]
const ask = async (keys: RemoteKeys, { jwk }: SigningKey) => await keys.get({ alg: jwk.alg!, kid: jwk.kid }, { payload: '', signature: '' })
const gone = { name: 'KeysUnavailable', message: 'The public keys of the authorization server could not be fetched.' }

t.test('a set is fetched once for all who ask', async t => {
  const server = await serveKeys(t, first.jwk, second.jwk)
  const keys = new RemoteKeys(jose, server.url)
  await Promise.all([ask(keys, first), ask(keys, second), ask(keys, first)])
  await ask(keys, second)
  t.equal(server.hits, 1)
})

t.test('a key that came after the last fetch is found, and all who wait for one share the next fetch', async t => {
  const server = await serveKeys(t, first.jwk)
  const keys = new RemoteKeys(jose, server.url, { coolDownMs: 100 })
  await ask(keys, first)
  server.answer = withKeys(first.jwk, second.jwk)
  await Promise.all([ask(keys, second), ask(keys, second), ask(keys, first), ask(keys, second)])
  t.equal(server.hits, 2)
  await t.rejects(ask(keys, await createKey('k3')), { code: 'ERR_JWKS_NO_MATCHING_KEY' }, 'what is in no set is told so')
  t.equal(server.hits, 3)
})

t.test('a fetch that had begun when a key was asked for says nothing about that key', async t => {
  const server = await serveKeys(t, first.jwk)
  const keys = new RemoteKeys(jose, server.url, { coolDownMs: 0 })
  await ask(keys, first)
  let began: () => void = () => {}
  const begun = new Promise<void>(resolve => { began = resolve })
  let finish: () => void = () => {}
  server.answer = (request, response) => { began(); finish = () => withKeys(first.jwk)(request, response) }
  const early = t.rejects(ask(keys, await createKey('k3')), { code: 'ERR_JWKS_NO_MATCHING_KEY' })
  await begun
  const late = ask(keys, second)
  await new Promise(resolve => setImmediate(resolve))
  server.answer = withKeys(first.jwk, second.jwk)
  finish()
  await Promise.all([early, late])
  t.equal(server.hits, 3)
})

t.test('a set that cannot be had is no answer about a key, and the next who asks at once is told so at once', async t => {
  const answers: Record<string, KeyServer['answer']> = {
    'an error': (_, response) => { response.writeHead(500).end('{}') },
    'a redirect': (_, response) => { response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end() },
    'no JSON': (_, response) => { response.writeHead(200).end('<html>') },
    'no key set': (_, response) => { response.writeHead(200).end('{"keys":1}') },
    'no key': withKeys(),
    'a closed connection': (_, response) => { response.destroy() },
    silence: () => {}
  }
  for (const [name, answer] of Object.entries(answers)) {
    const server = await serveKeys(t)
    server.answer = answer
    const keys = new RemoteKeys(jose, server.url, { timeoutMs: 100 })
    const error = await ask(keys, first).catch(error => error)
    t.ok(error instanceof KeysUnavailable && error.cause !== undefined, name)
    await t.rejects(ask(keys, first), gone)
    t.equal(server.hits, 1)
  }
})

t.test('after a moment it is asked again', async t => {
  const server = await serveKeys(t)
  server.answer = (_, response) => { response.destroy() }
  const keys = new RemoteKeys(jose, server.url, { coolDownMs: 0 })
  await t.rejects(ask(keys, first), gone)
  server.answer = withKeys(first.jwk)
  await t.resolves(ask(keys, first))
})

t.test('a set that is there serves while the other side is down, and a key that is not in it cannot be judged', async t => {
  const server = await serveKeys(t, first.jwk)
  const keys = new RemoteKeys(jose, server.url, { coolDownMs: 0, maxAgeMs: 0, retryMs: 60_000 })
  await ask(keys, first)
  server.answer = (_, response) => { response.destroy() }
  await t.rejects(ask(keys, second), gone)
  for (let time = 0; time < 3; time++) await t.resolves(ask(keys, first))
  t.equal(server.hits, 2, 'and is not asked for every token')
})

t.test('an old set is asked for again: a key that was taken out of it is none any more', async t => {
  const server = await serveKeys(t, first.jwk)
  const keys = new RemoteKeys(jose, server.url, { coolDownMs: 0, maxAgeMs: 0, retryMs: 0 })
  await ask(keys, first)
  server.answer = withKeys(second.jwk)
  await Promise.all([t.rejects(ask(keys, first), { code: 'ERR_JWKS_NO_MATCHING_KEY' }), t.resolves(ask(keys, second))])
  server.answer = (_, response) => { response.destroy() }
  await t.resolves(ask(keys, second), 'where there is no new one, the old one serves')
})

const unusable = [{ kty: 'RSA', kid: 'k1', alg: 'RS256', n: 'AQAB', e: 'AQAB' }, { kty: 'RSA', kid: 'k1' }, { ...await jose.exportJWK(first.privateKey), alg: 'RS256', kid: 'k1' }]

t.test('a key that cannot be used is as good as none: the set is asked for again', async t => {
  for (const key of unusable) {
    const server = await serveKeys(t, key as jose.JWK, second.jwk)
    const keys = new RemoteKeys(jose, server.url, { coolDownMs: 0 })
    await t.rejects(ask(keys, first), { code: 'ERR_JWKS_NO_MATCHING_KEY' })
    server.answer = withKeys(first.jwk, second.jwk)
    await t.resolves(ask(keys, first))
  }
})

t.test('a set without any key that can be used is none', async t => {
  for (const key of unusable) {
    const server = await serveKeys(t, key as jose.JWK)
    await t.rejects(ask(new RemoteKeys(jose, server.url), first), gone)
  }
})

t.test('what no other set would change is told at once', async t => {
  const server = await serveKeys(t, first.jwk, { ...second.jwk, kid: 'k1' })
  const keys = new RemoteKeys(jose, server.url, { coolDownMs: 0 })
  await t.rejects(ask(keys, first), { code: 'ERR_JWKS_MULTIPLE_MATCHING_KEYS' })
  await t.rejects((async () => await keys.get({ alg: 'HS256', kid: 'k1' }, { payload: '', signature: '' }))(), { code: 'ERR_JOSE_NOT_SUPPORTED' })
  t.equal(server.hits, 1)
})
