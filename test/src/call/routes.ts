import t from 'tap'
import { notFoundFailure, RouteIndex, type RouterRules } from '../../../src/call/routes.js'

const index = new RouteIndex()
index.add(['GET', 'HEAD'], '/api/capabilities/:name')
index.add(['POST'], '/api/capabilities/:name')
index.add(['OPTIONS'], '*')
index.add(['OPTIONS'], '/*')
index.add(['GET'], '/health')

t.test('a path knows its methods, whatever the query', async t => {
  t.strictSame(index.methodsFor('/api/capabilities/x?a=1'), ['GET', 'HEAD', 'POST'])
  t.strictSame(index.methodsFor('/health'), ['GET'])
  t.strictSame(index.methodsFor('/nowhere'), [], 'a route for everything says nothing about one path')
  index.add(['GET'], '/late')
  t.strictSame(index.methodsFor('/late'), ['GET'])
})

t.test('a path is found as the server finds it', async t => {
  const found = (rules: RouterRules, url: string): string[] => {
    const routes = new RouteIndex(rules)
    routes.add(['POST'], '/api/:name')
    return routes.methodsFor(url)
  }
  for (const [rules, url] of [[{ caseSensitive: false }, '/API/x'], [{ ignoreTrailingSlash: true }, '/api/x/'], [{ ignoreDuplicateSlashes: true }, '//api/x'], [{ maxParamLength: 200 }, `/api/${'x'.repeat(150)}`], [{ useSemicolonDelimiter: true }, '/api/x;a=1/2']] as const) {
    t.strictSame(found(rules, url), ['POST'], url)
    t.strictSame(found({}, url), [], url)
  }
})

t.test('a method that is not offered is told those that are', async t => {
  t.match(notFoundFailure('DELETE', '/health?x', ['GET'], index.pathsFor(undefined), ''), { code: 'METHOD_NOT_ALLOWED', status: 405, message: '/health has no DELETE: it takes GET.', details: { expected: 'GET' } })
})

t.test('an unknown path is told near ones, with its own parameters in them', async t => {
  t.match(notFoundFailure('GET', '/helth', [], index.pathsFor(undefined), '/w'), { code: 'ROUTE_NOT_FOUND', status: 404, details: { did_you_mean: '/health', hint: 'GET /w/api/capabilities lists what can be called.' } })
  t.equal(notFoundFailure('POST', '/api/capability/echo', [], index.pathsFor(undefined), '').details.did_you_mean, '/api/capabilities/echo')
  t.equal(notFoundFailure('GET', '/API/capabilities', [], index.pathsFor(undefined), '').details.did_you_mean, undefined)
  t.equal(notFoundFailure('GET', `/${'x'.repeat(5000)}`, [], index.pathsFor(undefined), '').message.length < 150, true)
})

t.test('a path is suggested to nobody who may not ask for it', async t => {
  index.add(['GET'], '/admin', ['admin'])
  const asking = (...scopes: string[]) => notFoundFailure('GET', '/admn', [], index.pathsFor({ id: 'key:a', scopes, claims: {} }), '').details.did_you_mean
  t.equal(asking('admin'), '/admin')
  t.equal(asking('read'), undefined)
})
