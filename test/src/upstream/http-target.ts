import http from 'node:http'
import https from 'node:https'
import { once } from 'node:events'
import t from 'tap'
import { httpTarget } from '../../../src/upstream/http-target.js'
import { serve } from '../../fixtures/observing.js'

/** Where a request would go that is never sent. */
function target (options: https.RequestOptions, isTls = false): { origin: string, path: string } {
  const request = (isTls ? https : http).request({ path: '/x?y', ...options, agent: undefined, createConnection: () => undefined as never })
  request.on('error', () => {}).destroy()
  return httpTarget(request)
}

t.test('the port is in the Host header, unless it is the usual one', async t => {
  t.same(target({ hostname: 'bank', port: 81 }), { origin: 'http://bank:81', path: '/x?y' })
  t.same(target({ hostname: 'bank' }), { origin: 'http://bank', path: '/x?y' })
  t.equal(target({ hostname: 'bank', port: 80 }).origin, 'http://bank')
  t.equal(target({ hostname: 'Bank', port: 443 }, true).origin, 'https://bank')
  t.equal(target({ hostname: 'bank', port: 444 }, true).origin, 'https://bank:444')
})

t.test('an IPv6 address has its brackets', async t => {
  t.equal(target({ hostname: '::1', port: 81 }).origin, 'http://[::1]:81')
  t.equal(target({ hostname: '[::1]', port: 81 }).origin, 'http://[::1]:81')
})

t.test('a proxy is asked for what is behind it', async t => {
  t.same(target({ hostname: 'proxy', port: 8080, path: 'http://bank:81/x?y', headers: { host: 'bank:81' } }), { origin: 'http://bank:81', path: '/x?y' })
})

t.test('a Host header of another host says nothing of the port, which the socket knows once it is connected', async t => {
  const { port } = await serve(t, (_, response) => { response.end() })
  for (const headers of [{ host: 'bank:1' }, { host: 'not a host' }, ['Host', 'bank:1']]) {
    t.equal(target({ hostname: '127.0.0.1', port, headers }).origin, 'http://127.0.0.1')
    const request = http.get({ hostname: '127.0.0.1', port, headers })
    const [response] = await once(request, 'response')
    t.equal(httpTarget(request).origin, `http://127.0.0.1:${port}`)
    response.resume()
  }
})
