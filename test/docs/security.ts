import { hashApiKey } from 'candor'
import t, { type Test } from 'tap'
import { ordersService } from '../../docs/guide/security.js'
import { createKey, serveKeys, sign } from '../fixtures/issuer.js'

const keys = { billing: 'kQ3-old-key-of-billing', billingNext: 'zX9-new-key-of-billing' }
const input = { order: '20260117', card: '4242' }
const claims = { iss: 'https://login.example.com', aud: 'https://orders.example.com/mcp', sub: 'ann' }

async function service (t: Test) {
  const signingKey = await createKey()
  const provider = await serveKeys(t, signingKey.jwk)
  const app = await ordersService({ billing: hashApiKey(keys.billing), billingNext: hashApiKey(keys.billingNext) }, provider.url)
  t.teardown(() => app.close())
  app.log.level = 'silent'
  const token = async (more: object): Promise<string> => await sign(signingKey, { ...claims, ...more })
  const ask = async (name: string, payload: object, bearer?: string, more: Record<string, string> = {}) => {
    const headers = { host: 'orders.example.com', ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }), ...more }
    const response = await app.inject({ method: 'POST', url: `/api/capabilities/${name}`, headers, payload })
    return { status: response.statusCode, headers: response.headers, body: response.json() }
  }
  const list = async (bearer: string) => (await app.inject({ url: '/api/capabilities', headers: { host: 'orders.example.com', authorization: `Bearer ${bearer}` } })).json().map(({ name }: { name: string }) => name)
  return { app, ask, list, token }
}

t.test('both keys of the guide are taken while callers change over, and nobody else’s', async t => {
  const { ask } = await service(t)
  for (const key of [keys.billing, keys.billingNext]) t.match(await ask('refund_order', input, key), { status: 200, body: { success: true, data: { refunded: '20260117' } } })
  t.match(await ask('refund_order', input, 'guessed'), { status: 401, body: { error: { code: 'API_KEY_INVALID', details: { next_action: 'fix_credentials' } } } })
  const [known, unknown] = [await ask('refund_order', input), await ask('no_such_thing', input)]
  t.match(known, { status: 401, headers: { 'www-authenticate': /^Bearer / } })
  for (const { body } of [known, unknown]) delete body.error.details.request_id
  t.strictSame(known.body, unknown.body)
})

t.test('a token calls what its scopes allow, and hears of nothing else', async t => {
  const { ask, list, token } = await service(t)
  const reader = await token({ scope: 'orders:read' })
  t.match(await ask('find_orders', { customer: '1007' }, reader), { status: 200 })
  t.match(await ask('refund_order', input, reader), { status: 403, body: { error: { code: 'FORBIDDEN', details: { expected: 'the scope orders:refund' } } } })
  t.strictSame(await list(reader), ['find_orders'])
  t.strictSame(await list(keys.billing), ['find_orders', 'refund_order'])
})

t.test('the sixth refund within a minute is told to wait', async t => {
  const { ask } = await service(t)
  for (let i = 0; i < 5; i++) t.match(await ask('refund_order', input, keys.billing), { status: 200, headers: { ratelimit: /^"default";r=\d;t=\d+$/ } })
  t.match(await ask('refund_order', input, keys.billing), { status: 429, headers: { 'retry-after': /^\d+$/ }, body: { error: { code: 'RATE_LIMIT_EXCEEDED', details: { next_action: 'wait_and_retry', outcome: 'not_applied' } } } })
})

t.test('a page of the console may call, and another page or host may not', async t => {
  const { ask } = await service(t)
  const from = async (headers: Record<string, string>) => await ask('refund_order', input, keys.billing, headers)
  t.match(await from({ origin: 'https://console.example.com' }), { status: 200, headers: { 'access-control-allow-origin': 'https://console.example.com' } })
  t.match(await from({ origin: 'https://evil.example' }), { status: 403, body: { error: { code: 'ORIGIN_NOT_ALLOWED' } } })
  t.match(await from({ host: 'rebound.example' }), { status: 403, body: { error: { code: 'ORIGIN_NOT_ALLOWED' } } })
})

t.test('the sensitive field is echoed nowhere', async t => {
  const { ask } = await service(t)
  const { body } = await ask('refund_order', { order: '20260117', card: '99998' }, keys.billing)
  t.equal(body.error.details.field, 'card')
  t.notMatch(JSON.stringify(body), /99998/)
})
