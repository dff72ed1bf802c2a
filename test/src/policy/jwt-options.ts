import { generateKeyPairSync } from 'node:crypto'
import t from 'tap'
import { isUsableKey, mistakesInJwt } from '../../../src/policy/jwt-options.js'
import { createKey, ISSUER, jwtOptions } from '../../fixtures/issuer.js'

const key = await createKey()
const good = jwtOptions(key)

t.test('keys come from a set, or from an address that nobody on the way can change', async t => {
  t.strictSame(mistakesInJwt(good), [])
  for (const kind of ['ES256', 'EdDSA']) t.strictSame(mistakesInJwt(jwtOptions(await createKey('k', kind))), [], kind)
  for (const jwks of ['https://issuer.example/jwks', 'http://localhost:8080/jwks', 'http://127.0.0.1/jwks', 'http://[::1]:1/jwks']) t.strictSame(mistakesInJwt({ ...good, jwks }), [], jwks)
  for (const jwks of ['http://issuer.example/jwks', 'http://127.0.0.1.evil.example/', 'file:///etc/keys', 'jwks', 'https://user:secret@issuer.example/', 'https://user@issuer.example/']) {
    t.strictSame(mistakesInJwt({ ...good, jwks }), ['Expected the address `auth.jwt.jwks` to be an https URL, or http at localhost.'], jwks)
  }
})

t.test('a key that can make tokens is a mistake at start, and not shown', async t => {
  const jwk = (options: object) => (generateKeyPairSync as any)('rsa', { modulusLength: 2048, ...options })
  const secret = jwk({}).privateKey.export({ format: 'jwk' })
  const small = jwk({ modulusLength: 1024 }).publicKey.export({ format: 'jwk' })
  const mistakes = mistakesInJwt({ ...good, jwks: { keys: [{ kty: 'oct', k: 'c2VjcmV0' }, secret, small, { kty: 'RSA', n: '!' }, key.jwk, { kty: 'EC', p: 'x' }, { kty: 'RSA', k: 'x' }] } })
  t.match(mistakes, [/keys\[0\]` to be a public key, got a shared secret/, /keys\[1\]` to be a public key, got a private one/, /keys\[2\]` to be an RSA key of 2048 bits/, /keys\[3\].*cannot be read/, /keys\[5\].*private/, /keys\[6\].*shared/])
  t.equal(mistakes.length, 6)
  t.notMatch(mistakes.join(), new RegExp(`c2VjcmV0|${secret.d}`))
  for (const jwks of [undefined, null, {}, { keys: [] }, { keys: ['x'] }, []]) t.match(mistakesInJwt({ ...good, jwks }), ['Expected `auth.jwt.jwks` to be a URL, or a JSON Web Key Set: { keys: [one or more] }.'])
})

t.test('a key can be used where signatures can be checked by it, and made by nobody who has it', async t => {
  t.ok(isUsableKey(key.jwk))
  for (const one of [{ kty: 'RSA', n: 'AQAB', e: 'AQAB' }, { kty: 'RSA' }, { kty: 'oct', k: 'x' }, { ...key.jwk, d: 'x' }, {}, [], null, 'x']) t.notOk(isUsableKey(one), JSON.stringify(one))
})

t.test('signatures with a shared secret, and none at all, are no options', async t => {
  for (const algorithms of [['HS256'], ['none'], ['RS256', 'HS512'], [], 'RS256', ['rs256']]) t.match(mistakesInJwt({ ...good, algorithms }), [/^Expected `auth.jwt.algorithms` to be an array of RS256,/], String(algorithms))
  t.strictSame(mistakesInJwt({ ...good, algorithms: ['ES384', 'Ed25519'] }), [])
})

t.test('everything wrong is told at once', async t => {
  t.match(mistakesInJwt('x'), [/^Expected `auth.jwt` to be an object/])
  t.match(mistakesInJwt({ isuer: ISSUER, audience: [], jwks: 5, scopeClaim: '' }), [/Did you mean `issuer`/, /auth.jwt.issuer/, /audience/, /scopeClaim/, /jwks/])
  for (const issuer of ['issuer', 'http://issuer.example', 5, '']) t.match(mistakesInJwt({ ...good, issuer }), [/issuer/])
  t.strictSame(mistakesInJwt({ ...good, audience: ['a', 'b'], scopeClaim: 'roles' }), [])
  t.match(mistakesInJwt({ ...good, audience: '' }), [/audience/])
})
