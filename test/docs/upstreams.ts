import t from 'tap'
import { billingService } from '../../docs/guide/upstreams.js'
import { fakeUpstream, rawAnswer } from '../fixtures/fake-upstream.js'

const json = { 'content-type': 'application/json' }

t.test('the service of the guide answers, refuses and keeps its word about writes', async t => {
  let answer = ''
  const requests: string[] = []
  const fake = await fakeUpstream(t, (socket, _, request) => {
    requests.push(request)
    if (answer === '') socket.destroy()
    else socket.write(answer)
  })
  const app = await billingService(fake.url, async () => 'token-1234')
  t.teardown(() => app.close())
  app.log.level = 'silent'
  const ask = async (name: string, number: string) => (await app.inject({ method: 'POST', url: `/api/capabilities/${name}`, payload: { number } })).json()

  answer = rawAnswer(200, json, '{"id":"i1","total":12.5,"currency":"EUR"}')
  t.strictSame(await ask('get_invoice', 'a/../b?c'), { success: true, data: { id: 'i1', total: 12.5 }, meta: { sources: ['billing'] } })
  t.match(requests[0], /^GET \/v2\/invoices\/a%2F\.\.%2Fb%3Fc HTTP/)
  t.match(requests[0], /authorization: Bearer token-1234/i)

  answer = rawAnswer(404, json, '{}')
  t.match(await ask('get_invoice', '1'), { error: { code: 'INVOICE_NOT_FOUND', retryable: false } })

  answer = rawAnswer(200, json, '{"status":"OVER_QUERY_LIMIT"}')
  t.match(await ask('get_invoice', '1'), { error: { code: 'UPSTREAM_RATE_LIMITED', retryable: true } })

  const before = requests.length
  t.match(await ask('get_invoice', '..'), { error: { code: 'INVALID_INPUT' } })
  t.equal(requests.length, before, 'nothing was sent')

  answer = ''
  t.match(await ask('send_invoice', '1'), { error: { retryable: false, details: { outcome: 'unknown' } } })
  answer = rawAnswer(204)
  t.match(await ask('send_invoice', '1'), { success: true, data: { sent: true } })
})
