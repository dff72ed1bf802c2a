import t from 'tap'
import { createProviders } from '../../example-tools/providers/server.js'
import { runModule } from '../fixtures/run-module.js'

t.test('its exit code says whether the server of this container answers', async t => {
  const app = createProviders()
  await app.listen({ port: 0, host: '127.0.0.1' })
  t.teardown(() => app.close())
  const healthy = runModule(t, 'bin/health.ts', { env: { PORT: new URL(app.listeningOrigin).port } })
  const gone = runModule(t, 'bin/health.ts', { env: { PORT: '1' } })
  t.equal(await healthy.ended, 0)
  t.equal(await gone.ended, 1)
  t.match(gone.said.stderr, /^No answer on port 1: .+\n$/)
})
