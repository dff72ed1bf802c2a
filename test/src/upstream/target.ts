import t from 'tap'
import { encodeQuery, lowerCased, PathValueError, readTarget, requestAddress, secretsIn } from '../../../src/upstream/target.js'
import type { UpstreamOptions } from '../../../src/upstream/options.js'

type Rest = Parameters<typeof requestAddress> extends [unknown, ...infer R] ? R : never
const address = (baseUrl: string, ...rest: Rest): string => {
  const { origin, path } = requestAddress(readTarget({ baseUrl }), ...rest)
  return `${origin}${path}`
}
const base = 'https://api.example'

t.test('a base URL is taken apart once', async t => {
  t.match(readTarget({ baseUrl: 'https://api.example:8443/v1//?lang=en&key=SECRET1', headers: { 'X-Api-Key': 'SECRET2', accept: 'text/csv' } }), {
    origin: 'https://api.example:8443', prefix: '/v1', query: 'lang=en&key=SECRET1', headers: { 'x-api-key': 'SECRET2', accept: 'text/csv' }, open: false, secrets: ['SECRET2', 'SECRET2', 'SECRET1']
  })
  t.same(readTarget({ allowTarget: true }), { origin: undefined, prefix: '', query: '', headers: {}, open: true, secrets: [] })
})

t.test('user info becomes an authorization, unless there is one', async t => {
  const secrets = (options: UpstreamOptions): readonly string[] => readTarget(options).secrets
  const basic = (text: string): string => Buffer.from(text).toString('base64')
  t.equal(readTarget({ baseUrl: 'https://user:p%40ss@api.example' }).headers.authorization, `Basic ${basic('user:p@ss')}`)
  t.same(secrets({ baseUrl: 'https://user:p%40ss@api.example', secrets: ['more'] }), ['more', `Basic ${basic('user:p@ss')}`, basic('user:p@ss'), 'user:p@ss', 'p@ss'])
  t.ok(secrets({ baseUrl: 'https://sk_live_1@api.example' }).includes('sk_live_1'))
  t.ok(secrets({ baseUrl: 'https://:only@api.example' }).includes('only'))
  t.equal(readTarget({ baseUrl: 'https://user:a%zz@api.example' }).headers.authorization, `Basic ${basic('user:a%zz')}`)
  t.equal(readTarget({ baseUrl: 'https://user:pass@api.example', headers: { Authorization: 'Bearer own' } }).headers.authorization, 'Bearer own')
})

t.test('headers are secret by their names', async t => {
  t.same(secretsIn({ authorization: 'Bearer abc', 'x-signature': 'def', accept: 'text/csv', 'x-subscription-key': 'ghi' }), ['Bearer abc', 'abc', 'def', 'def', 'ghi', 'ghi'])
  t.same(lowerCased({ 'X-A': '1', 'x-a': '2' }), { 'x-a': '2' })
})

t.test('a path is put after the base, with both queries', async t => {
  t.equal(address(base, '/search'), 'https://api.example/search')
  t.equal(address(base, '/search', {}, { q: 1 }), 'https://api.example/search?q=1')
  t.equal(address('https://api.example/?key=k', '/search', {}, {}), 'https://api.example/search?key=k')
  t.equal(address('https://api.example/v1/?key=k', '/search', {}, { q: 'a b&c=d', page: 2, all: true, none: undefined, ids: [1, 'x'] }), 'https://api.example/v1/search?key=k&q=a+b%26c%3Dd&page=2&all=true&ids=1&ids=x')
  t.equal(encodeQuery({}), '')
})

t.test('a placeholder\'s value stays one segment, whatever it holds', async t => {
  const path = (value: string | number): string => address(base, '/users/{user-id}/posts', { 'user-id': value })
  t.equal(path(7), 'https://api.example/users/7/posts')
  t.equal(path('a/b?c#d%2e\\é'), 'https://api.example/users/a%2Fb%3Fc%23d%252e%5C%C3%A9/posts')
  t.equal(path('\uD800'), 'https://api.example/users/%EF%BF%BD/posts')
  t.equal(path('...'), 'https://api.example/users/.../posts')
  t.equal(path('{user-id}'), 'https://api.example/users/%7Buser-id%7D/posts')
})

t.test('a value that would change the path is told by its parameter', async t => {
  for (const value of ['', '.', '..', '%2e', '%2E.', '.%2e']) {
    t.throws(() => address(base, '/users/{id}', { id: value }), { parameter: 'id', message: 'The value of {id} is no single path segment.' }, value)
  }
  t.throws(() => address(base, '/users/{id}', { id: '..' }), new PathValueError('id'))
})

t.test('a path an author cannot mean is a mistake', async t => {
  for (const path of ['search', '', 'https://evil.example/', '@evil.example/']) t.throws(() => address(base, path), { name: 'TypeError', message: /begin with "\/"/ }, path)
  for (const path of ['/a?b', '/a#b']) t.throws(() => address(base, path), { name: 'TypeError', message: /pass parameters as `query`/ }, path)
  for (const path of ['/a/../b', '/.', '/%2e%2E/b', '/a\\..\\b']) t.throws(() => address(base, path), { name: 'TypeError', message: /pass values as `params`/ }, path)
  t.throws(() => address(base, '/{id}', { constructor: 'x' } as never), { name: 'TypeError', message: 'Expected `params` to have {id}.' })
})

t.test('a path with two slashes stays on its origin', async t => {
  t.equal(address(base, '//evil.example/'), 'https://api.example//evil.example/')
})

t.test('where targets are allowed a path may be a whole URL', async t => {
  const open = readTarget({ allowTarget: true })
  t.same(requestAddress(open, 'HTTP://Example.com:80/a b/{c}?d=%20#e', { c: 'x' }, { f: 'g' }), { origin: 'http://example.com', path: '/a%20b/%7Bc%7D?d=%20&f=g' })
  t.same(requestAddress(open, 'https://example.com'), { origin: 'https://example.com', path: '/' })
  t.throws(() => requestAddress(open, '/admin'), { code: 'TARGET_NOT_ALLOWED' })
  const both = readTarget({ baseUrl: 'https://api.example/v1', allowTarget: true })
  t.same(requestAddress(both, '/a'), { origin: 'https://api.example', path: '/v1/a' })
  t.same(requestAddress(both, 'https://example.com/a'), { origin: 'https://example.com', path: '/a' })
})
