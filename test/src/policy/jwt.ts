import t from 'tap'
import { createJwtCheck, isJwt } from '../../../src/policy/jwt.js'
import { claims, forge, rsa } from '../../fixtures/forge.js'
import { AUDIENCE, createKey, ISSUER, jwtOptions, now, serveKeys, sign, withKeys } from '../../fixtures/issuer.js'

const key = await createKey()
const check = createJwtCheck(jwtOptions(key))
const refused = (why = 'not_accepted') => ({ refused: why })

t.test('a token of the issuer, for this service, says who calls: the same after each refresh', async t => {
  const claims = { sub: 'ann', iss: ISSUER, aud: AUDIENCE, department: 'sales' }
  t.match(await check(await sign(key, claims)), { principal: { id: 'jwt:ann', scopes: [], claims } })
  t.match(await check(await sign(key, { aud: ['else', AUDIENCE], exp: now() + 9 })), { principal: { id: 'jwt:ann' } })
  t.match(await createJwtCheck(jwtOptions(key, { audience: ['x', AUDIENCE] }))(await sign(key)), { principal: { id: 'jwt:ann' } })
})

t.test('each kind of signature is taken that nobody else can make', async t => {
  for (const alg of ['PS256', 'ES256', 'EdDSA']) {
    const other = await createKey('k1', alg)
    t.match(await createJwtCheck(jwtOptions(other))(await sign(other)), { principal: { id: 'jwt:ann' } }, alg)
    t.strictSame(await createJwtCheck(jwtOptions(other, { algorithms: ['RS256'] }))(await sign(other)), refused(), `${alg} where it is not asked for`)
  }
})

t.test('scopes are words in a text or a list, from the claim that is said', async t => {
  const scopesOf = async (claims: object, scopeClaim?: string) => (await createJwtCheck(jwtOptions(key, { scopeClaim }))(await sign(key, { ...claims })) as any).principal.scopes
  t.strictSame(await scopesOf({ scope: 'read  write', scp: ['no'] }), ['read', 'write'])
  t.strictSame(await scopesOf({ scp: ['read', 5, 'a b', ''] }), ['read'])
  t.strictSame(await scopesOf({ scp: 'read' }), ['read'])
  t.strictSame(await scopesOf({ scope: 5, scp: 'read' }), [])
  t.strictSame(await scopesOf({ roles: ['admin'], scope: 'read' }, 'roles'), ['admin'])
  t.strictSame(await scopesOf({ scope: 'read' }, 'roles'), [])
  t.strictSame(await scopesOf({}, 'constructor'), [])
})

t.test('clocks may be a minute apart', async t => {
  t.match(await check(await sign(key, { exp: now() - 50 })), { principal: {} })
  t.strictSame(await check(await sign(key, { exp: now() - 70 })), refused('expired'))
  t.match(await check(await sign(key, { nbf: now() + 50 })), { principal: {} })
  t.strictSame(await check(await sign(key, { nbf: now() + 70 })), refused('not_yet_valid'))
})

t.test('a token that says too little, or is for others, is not taken', async t => {
  for (const claims of [{ exp: undefined }, { sub: undefined }, { sub: '' }, { sub: 5 }, { iss: 'https://else.example' }, { iss: undefined }, { aud: 'client-1' }, { aud: undefined }, { exp: 'never' }, { nbf: 'x' }]) {
    t.strictSame(await check(await sign(key, claims)), refused(), JSON.stringify(claims))
  }
  t.strictSame(await check('a.b.c'), refused())
  t.strictSame(await check(forge({ alg: 'RS256', kid: 'k1' }, JSON.stringify(claims()).replace(/"exp":\d+/, '"exp":1e999'), rsa(key))), refused(), 'it never ends')
  t.strictSame(await check(await sign(await createKey())), refused(), 'another key of the same name')
  t.strictSame(await check(await sign(await createKey('k2'))), refused(), 'an unknown key')
})

t.test('a token that names no key is tried with each of its kind', async t => {
  const [first, second, other] = [await createKey('k1'), await createKey('k2'), await createKey('k3')]
  const check = createJwtCheck({ ...jwtOptions(first), jwks: { keys: [first.jwk, second.jwk] as never } })
  t.match(await check(await sign(second, {}, { kid: undefined })), { principal: {} })
  t.strictSame(await check(await sign(second, { exp: 5 }, { kid: undefined })), refused('expired'))
  t.strictSame(await check(await sign(other, {}, { kid: undefined })), refused())
})

t.test('a token is not judged while the keys cannot be had', async t => {
  const server = await serveKeys(t)
  server.answer = (_, response) => { response.writeHead(500).end() }
  const check = createJwtCheck(jwtOptions(server.url), { coolDownMs: 0 })
  t.match(await check(await sign(key)), { unavailable: { name: 'KeysUnavailable' } })
  server.answer = withKeys(key.jwk)
  t.match(await check(await sign(key)), { principal: {} })
})

t.test('the form of a token is three parts of base64url', async t => {
  for (const token of [await sign(key), 'a.b.', 'a.b.c']) t.ok(isJwt(token), token)
  for (const token of ['', 'abc', 'a.b', 'a..c', 'a.b.c.d.e', 'a.b.c=', 'a b.c.d']) t.notOk(isJwt(token), token)
})
