import t from 'tap'
import { isResource, metadataOf, metadataUrlOf, resourceOf } from '../../../src/policy/protected-resource.js'
import { echo } from '../../fixtures/capabilities.js'

const asked = { protocol: 'https', host: 'tools.example:8443' }

t.test('a resource is known by the URL that is configured, else by the one it was asked for', async t => {
  t.equal(resourceOf('https://a.example/x', asked, '/tools'), 'https://a.example/x')
  t.equal(resourceOf(undefined, asked, '/tools'), 'https://tools.example:8443/tools/mcp')
  for (const host of ['tools.example', 'localhost:80', '127.0.0.1:8080', '[::1]:8080', 'my_tool']) t.match(resourceOf(undefined, { ...asked, host }, ''), /^https:.*\/mcp$/, host)
  for (const host of ['', 'a b', 'a"b:x', '[']) t.equal(resourceOf(undefined, { ...asked, host }, ''), undefined, host)
})

t.test('a host that is more than a name and a port makes no resource', async t => {
  for (const host of ['x/"y', 'x?"', 'x#"', 'a",error="insufficient_scope', "a'b", 'me@x', 'x:', 'x:123456', '[::1', 'a,b', 'x\\y']) t.equal(resourceOf(undefined, { ...asked, host }, ''), undefined, host)
  for (const protocol of ['javascript', 'https"', 'file', '']) t.equal(resourceOf(undefined, { ...asked, protocol }, ''), undefined, protocol)
})

t.test('the metadata stands beside the resource, wherever that is', async t => {
  const end = '/.well-known/oauth-protected-resource/mcp'
  t.equal(metadataUrlOf('https://a.example/mcp'), `https://a.example${end}`)
  t.equal(metadataUrlOf('https://a.example/tools/mcp/'), `https://a.example/tools${end}`)
  t.equal(metadataUrlOf('https://a.example'), `https://a.example${end}`)
})

t.test('it names the issuer, and the scopes of all that callers may hear of', async t => {
  const capabilities = [{ ...echo, scopes: ['b', 'a'] }, { ...echo, scopes: ['a'] }, { ...echo, scopes: ['secret'], hidden: true }]
  t.strictSame(metadataOf('https://a.example/mcp', 'weather', 'https://issuer.example', capabilities), {
    resource: 'https://a.example/mcp', authorization_servers: ['https://issuer.example'], scopes_supported: ['a', 'b'], bearer_methods_supported: ['header'], resource_name: 'weather'
  })
})

t.test('a resource is an http URL without query and fragment', async t => {
  for (const url of ['https://a.example/mcp', 'http://localhost:8080/mcp']) t.ok(isResource(url), url)
  for (const url of ['/mcp', 'ftp://a.example/', 'https://a.example/#x', 'https://a.example/?x', 'https://me@a.example/', 5]) t.notOk(isResource(url), String(url))
})
