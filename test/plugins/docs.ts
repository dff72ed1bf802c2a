import Fastify from 'fastify'
import t from 'tap'
import { docs } from '../../plugins/docs.js'

process.on('warning', warning => t.fail(warning.message))

t.test('a page and its assets are served from here, each once', async t => {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(docs, { name: 'weather-tool', base: '' })
  const types = { '/docs': /^text\/html; charset=utf-8$/, '/docs/start.js': /^text\/javascript/, '/docs/swagger-ui-bundle.js': /^text\/javascript/, '/docs/swagger-ui.css': /^text\/css/ }
  for (const [path, type] of Object.entries(types)) {
    const { statusCode, headers, body } = await app.inject(path)
    t.match([statusCode, headers['content-type'], headers['cache-control']], [200, type, 'no-cache'], path)
    t.ok(body.length > 100, path)
    t.match(await app.inject({ url: path, headers: { 'if-none-match': headers.etag as string } }), { statusCode: 304, body: '' }, path)
  }
  t.match((await app.inject('/docs')).body, '<title>weather-tool</title>')
})

t.test('every address in the page leads to something, under a prefix too', async t => {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(async scope => await scope.register(docs, { name: 'x', base: '/tools' }), { prefix: '/tools' })
  const { body } = await app.inject('/tools/docs')
  const urls = [...body.matchAll(/(?:src|href)="(docs\/[^"]*)"/g)].map(([, url]) => url!)
  t.equal(urls.length, 3)
  for (const url of urls) t.equal((await app.inject(new URL(url, 'http://localhost/tools/docs').pathname)).statusCode, 200, url)
})

t.test('the page has a policy of its own, which lets it call what the document names', async t => {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(docs, { name: 'x', base: '', servers: [{ url: 'https://tools.example.com/x' }] })
  t.match((await app.inject('/docs')).headers['content-security-policy'], /^default-src 'none'; script-src 'self'; .*connect-src 'self' https:\/\/tools\.example\.com;/)
  t.equal((await app.inject('/docs/start.js')).headers['content-security-policy'], undefined)
})

t.test('a slash at the end leads back to the page', async t => {
  const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } })
  t.teardown(() => app.close())
  await app.register(async scope => await scope.register(docs, { name: 'x', base: '/tools' }), { prefix: '/tools' })
  const { statusCode, headers } = await app.inject('/tools/docs/?x=1')
  t.equal(statusCode, 302)
  t.equal(new URL(headers.location!, 'http://localhost/tools/docs/?x=1').pathname, '/tools/docs')
  t.equal((await app.inject('/tools/docs?x=/')).statusCode, 200)
})
