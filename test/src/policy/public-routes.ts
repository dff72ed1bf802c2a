import t from 'tap'
import { belowPrefix, idleEntries, isPublicEntry, isPublicPath, isUnasked, mistakesInRoute } from '../../../src/policy/public-routes.js'

t.test('health, readiness and the metadata are open, and what an entry means', async t => {
  for (const path of ['/health', '/ready', '/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp']) t.ok(isPublicPath(path), path)
  for (const path of ['/Health', '/health/', '/health/x', '/', '/mcp', '']) t.notOk(isPublicPath(path), path)
})

t.test('nobody is ever asked at those alone', async t => {
  for (const path of ['/health', '/ready', '/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp']) t.ok(isUnasked(path), path)
  for (const path of ['/metrics', '/docs', '/mcp', '/']) t.notOk(isUnasked(path), path)
})

t.test('an entry means one route, or one and all below it', async t => {
  const entries = ['/metrics', '/docs/*']
  for (const path of ['/metrics', '/docs', '/docs/', '/docs/:page', '/docs/*', '/docs/a/b']) t.ok(isPublicPath(path, entries), path)
  for (const path of ['/metrics/x', '/docsx', '/documents', '/*', '/api/docs']) t.notOk(isPublicPath(path, entries), path)
})

t.test('an entry that means no route is told', async t => {
  t.strictSame(idleEntries(['/metrics', '/docs/*', '/metriks', '/x/*'], ['/metrics', '/docs']), ['/metriks', '/x/*'])
})

t.test('an entry is a path below the root', async t => {
  for (const entry of ['/metrics', '/docs/*', '/api/capabilities/:name']) t.ok(isPublicEntry(entry), entry)
  for (const entry of ['metrics', '/', '/*', '/a b', '/a?b', '/a#b', '', 5]) t.notOk(isPublicEntry(entry), String(entry))
})

t.test('a path is read without the prefix, and the prefix without its end', async t => {
  t.equal(belowPrefix('/tools/health', '/tools'), '/health')
  t.equal(belowPrefix('/health', ''), '/health')
  t.equal(belowPrefix('/health', '/'), '/health')
})

t.test('what a route says of its callers is checked', async t => {
  for (const config of [undefined, {}, { public: true }, { public: false, scopes: ['a'] }, { scopes: ['a', 'b'] }]) t.strictSame(mistakesInRoute('/a', config), [])
  t.match(mistakesInRoute('/a', { public: 'yes', scopes: 'admin' }), [/^Route \/a: expected `config.public` to be a boolean/, /`config.scopes`/])
  t.match(mistakesInRoute('/a', { public: true, scopes: ['admin'] }), [/`public` or `scopes`/])
  t.match(mistakesInRoute('/a', { scopes: ['a b'] }), [/`config.scopes`/])
})
