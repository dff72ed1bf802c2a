import t from 'tap'
import { once } from 'node:events'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { createProviders, start } from '../../../example-tools/providers/server.js'
import { runModule, stopRun } from '../../fixtures/run-module.js'

t.test('every response says that it is a simulation', async t => {
  const app = createProviders()
  t.after(() => app.close())
  for (const url of ['/health', '/v1/currencies', '/v1/search?name=Atlantis', '/v1/search', '/v1/latest?base=TWD', '/nowhere', '/faults', '/%']) {
    t.equal((await app.inject(url)).headers['x-candor-simulated'], 'true', url)
  }
  t.same((await app.inject('/health')).json(), { status: 'ok', simulated: true })
})

t.test('so do the answers to what is hardly a request', async t => {
  const app = await start({ PORT: '0' })
  t.after(() => app.close())
  for (const sent of ['nonsense\r\n\r\n', 'GET /health HTTP/1.1\r\nconnection: close\r\n\r\n']) {
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
    let answer = ''
    socket.on('data', chunk => { answer += chunk })
    socket.write(sent)
    await once(socket, 'close')
    t.match(answer, /x-candor-simulated: true/, sent)
  }
})

t.test('a path that nobody serves is 404, and a body that cannot be read is refused', async t => {
  const app = createProviders()
  t.after(() => app.close())
  const missing = await app.inject('/v2/rates')
  t.equal(missing.statusCode, 404)
  t.same(missing.json(), { error: true, reason: 'Not Found' })
  const unread = await app.inject({ method: 'POST', url: '/faults', headers: { 'content-type': 'application/json' }, payload: '{' })
  t.equal(unread.statusCode, 400)
  t.match(unread.json(), { error: true, reason: String })
})

t.test('a mistake of our own is a 500 that tells nothing', async t => {
  const app = createProviders({ now: () => { throw new Error('secret') } })
  t.after(() => app.close())
  const response = await app.inject('/v1/forecast?latitude=1&longitude=1')
  t.equal(response.statusCode, 500)
  t.same(response.json(), { error: true, reason: 'Internal Server Error' })
})

t.test('it starts on the port and host of its environment', async t => {
  const app = await start({ PORT: '0', HOST: '127.0.0.1' })
  t.after(() => app.close())
  t.equal((await fetch(`${app.listeningOrigin}/health`)).status, 200)
})

t.test('a setting that makes no sense is one clear line', async t => {
  for (const PORT of ['', 'http', '-1', '65536', '80.5']) {
    await t.rejects(start({ PORT }), { message: `Expected PORT to be a whole number from 0 to 65535, got '${PORT}'.` })
  }
  await t.rejects(start({ HOST: 'http://localhost' }), { message: "Expected HOST to be a host name or an IP address, got 'http://localhost'." })
  await t.rejects(start({ PORT: '0', HOST: '203.0.113.1' }), { message: /^Cannot listen on port 0 of 203\.0\.113\.1 \(\w+\): set HOST/ })
})

t.test('a port that is taken is one clear line', async t => {
  const app = await start({ PORT: '0' })
  t.after(() => app.close())
  const { port } = app.server.address() as AddressInfo
  await t.rejects(start({ PORT: String(port) }), { message: `Port ${port} on 127.0.0.1 is already in use: set PORT to a free one.` })
})

t.test('run directly it listens until told to stop, and fails with one line', async t => {
  const run = (PORT: string) => runModule(t, 'example-tools/providers/server.ts', { env: { PORT } })

  const good = run('0')
  t.match(await good.started(), /^Simulated providers \(sample data\) on http:\/\/127\.0\.0\.1:\d+\n$/)
  t.equal((await stopRun(good)).code, 0)

  const bad = run('none')
  t.equal(await bad.ended, 1)
  t.equal(bad.said.stderr, "Expected PORT to be a whole number from 0 to 65535, got 'none'.\n")
})
