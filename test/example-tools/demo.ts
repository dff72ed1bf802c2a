import t from 'tap'
import { runModule } from '../fixtures/run-module.js'

const file = 'example-tools/demo.ts'

// A process that compiles TypeScript is slow to start: these start side by side.
t.jobs = 3
t.setTimeout(180_000)

t.test('it plays ten scenes on its own, and exits 0 because each came out as the protocol says', { buffered: true }, async t => {
  const run = runModule(t, file)
  t.equal(await run.ended, 0)
  t.equal(run.said.stderr, '')
  t.match(run.said.stdout, /^\n1\. Found\n/)
  t.match(run.said.stdout, /\n10\. /)
  t.match(run.said.stdout, /= resend after 1000 ms/)
  t.match(run.said.stdout, /\nAll 10 scenes came out as the protocol says\.\n$/)
})

t.test('where a tool does not answer it says so and exits 1', { buffered: true }, async t => {
  const nowhere = 'http://127.0.0.1:1'
  const run = runModule(t, file, { env: { WEATHER_URL: nowhere, CURRENCY_URL: nowhere, PROVIDERS_URL: nowhere } })
  t.equal(await run.ended, 1)
  t.match(run.said.stdout, /NOT AS THE PROTOCOL SAYS: .+\n/)
  t.match(run.said.stdout, /\n10 of 10 scenes did not come out as the protocol says\.\n$/)
})

t.test('half an environment is one clear line', { buffered: true }, async t => {
  const run = runModule(t, file, { env: { WEATHER_URL: 'http://127.0.0.1:1' } })
  t.equal(await run.ended, 1)
  t.equal(run.said.stderr, 'Set all of WEATHER_URL, CURRENCY_URL, PROVIDERS_URL, or none of them.\n')
})
