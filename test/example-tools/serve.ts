import t from 'tap'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createProviders } from '../../example-tools/providers/server.js'
import { lineOf, listen, runDirectly, runUntilStopped } from '../../example-tools/serve.js'
import { runModule } from '../fixtures/run-module.js'

t.test('a server listens where it is told, and its log is as loud as before', async t => {
  const app = await listen(createProviders(), 0, '127.0.0.1')
  t.teardown(() => app.close())
  t.match(app.listeningOrigin, /^http:\/\/127\.0\.0\.1:\d+$/)
  t.equal((await fetch(`${app.listeningOrigin}/health`)).status, 200)
})

t.test('where it cannot listen it is closed, and one line says what to change', async t => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  t.teardown(() => taken.close())
  const { port } = taken.address() as AddressInfo
  await t.rejects(listen(createProviders(), port, '127.0.0.1', 'WEATHER_PORT'), { message: `Port ${port} on 127.0.0.1 is already in use: set WEATHER_PORT to a free one.` })
  await t.rejects(listen(createProviders(), 0, '203.0.113.1'), { message: /^Cannot listen on port 0 of 203\.0\.113\.1 \(\w+\): set HOST/ })
  const denied = { listen: () => Promise.reject(Object.assign(new Error('denied'), { code: 'EACCES' })), close: () => undefined, listeningOrigin: '', log: { level: 'info' } }
  await t.rejects(listen(denied, 80, '127.0.0.1'), { message: 'Port 80 on 127.0.0.1 is not ours to take: set PORT to one above 1023.' })
  const odd = { ...denied, listen: () => Promise.reject(new Error('odd')) }
  await t.rejects(listen(odd, 80, '127.0.0.1'), { message: 'Cannot listen on port 80 of 127.0.0.1 (unknown cause): set HOST to an address of this machine.' })
})

t.test('a module that was imported starts nothing', async t => {
  const asked: string[] = []
  const start = () => { asked.push('started'); return Promise.reject(new Error('no')) }
  await runDirectly(pathToFileURL(resolve('elsewhere.ts')).href, process, 'Nothing', start)
  await runDirectly(import.meta.url, { ...process, argv: [process.execPath] } as NodeJS.Process, 'Nothing', start)
  t.strictSame(asked, [])
})

t.test('what cannot start ends with its line and exit code 1', async t => {
  const said: string[] = []
  const fake = { stderr: { write: (text: string) => said.push(text) }, exitCode: undefined as number | undefined }
  await runUntilStopped(fake as unknown as NodeJS.Process, () => Promise.reject(new Error('Expected this.')))
  t.strictSame(said, ['Expected this.\n'])
  t.equal(fake.exitCode, 1)
})

t.test('the mistakes of a service are one line', async t => {
  t.equal(lineOf(new TypeError('weather-tool cannot start.\n- Expected `a`.\n- Expected `b`.')), 'weather-tool cannot start. Expected `a`. Expected `b`.')
})

// A process that compiles TypeScript is slow to start: these start side by side.
t.jobs = 4
t.setTimeout(180_000)

t.test('a service with an undeclared upstream or a negative timeout ends with one line, not a stack', { buffered: true }, async t => {
  const cases = [
    ['undeclared', /^broken-tool cannot start\. .*'?rates'?.*\n$/],
    ['negative', /^broken-tool cannot start\. Expected `upstreams\.rates\.timeoutMs` to be a positive number, got -5\.\n$/]
  ] as const
  const runs = cases.map(([mistake, line]) => ({ mistake, line, run: runModule(t, 'test/fixtures/broken-server.ts', { args: [mistake] }) }))
  for (const { mistake, line, run } of runs) {
    t.equal(await run.ended, 1, mistake)
    t.match(run.said.stderr, line)
    t.equal(run.said.stderr.trim().split('\n').length, 1)
    t.equal(run.said.stdout, '')
  }
})

t.test('an error that nobody caught closes the server, is shown, and ends with exit code 1', { buffered: true }, async t => {
  const run = runModule(t, 'test/fixtures/broken-server.ts', { args: ['crash'], env: { PORT: '0' } })
  t.match(await run.started(), /^Broken tool on http/)
  t.equal(await run.ended, 1)
  t.match(run.said.stderr, /Error: crashed later/)
})
