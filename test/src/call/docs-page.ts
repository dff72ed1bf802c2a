import { runInNewContext } from 'node:vm'
import t from 'tap'
import { docsHeaders, docsPage, docsScript } from '../../../src/call/docs-page.js'

t.test('the page may load from its own server alone, and run no script that stands in it', async t => {
  const policy = docsHeaders()['content-security-policy']!
  t.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'; .*frame-ancestors 'none'$/)
  t.notMatch(policy, /unsafe|https?:|\*/)
  const page = docsPage('weather-tool')
  t.match(page, '<title>weather-tool</title>')
  t.strictSame([...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, url]) => url).filter(url => url !== 'data:,' && !/^docs\/[\w.-]+$/.test(url!)), [], 'every address is relative')
  t.notMatch(page, /<script(?![^>]* src=)|<style| style=| on\w+=/)
})

t.test('the page may call the servers that the document names', async t => {
  const servers = [{ url: 'https://tools.example.com/weather' }, { url: 'https://tools.example.com/other' }, { url: '/weather' }, { url: 'http://10.0.0.1:8080' }]
  t.match(docsHeaders(servers)['content-security-policy'], "; connect-src 'self' https://tools.example.com http://10.0.0.1:8080; ")
})

/** What the script hands to Swagger UI on a page at this path. */
function started (base: string, pathname: string): any {
  let given: any
  runInNewContext(docsScript(base), { location: { pathname }, SwaggerUIBundle: (options: unknown) => { given = options } })
  return given
}
/** The servers of the document as the page reads it. */
function servers (base: string, pathname: string, document = {}, more = {}): unknown {
  const { text } = started(base, pathname).responseInterceptor({ ok: true, url: `http://localhost${pathname}/../openapi.json`, text: JSON.stringify(document), ...more })
  return JSON.parse(text).servers
}

t.test('the page finds the service from where it is itself', async t => {
  t.equal(started('', '/docs').url, 'openapi.json')
  t.equal(servers('', '/docs'), undefined)
  t.equal(servers('/tools', '/tools/docs'), undefined)
  t.strictSame(servers('', '/outside/docs'), [{ url: '/outside' }])
  t.strictSame(servers('/tools', '/outside/tools/docs'), [{ url: '/outside' }])
})

t.test('what the document itself says of servers holds, and other answers are left alone', async t => {
  t.strictSame(servers('', '/outside/docs', { servers: [{ url: 'https://example.com' }] }), [{ url: 'https://example.com' }])
  t.equal(servers('', '/outside/docs', {}, { url: 'http://localhost/outside/api/capabilities/echo' }), undefined)
  t.equal(servers('', '/outside/docs', {}, { ok: false }), undefined)
})
