import t from 'tap'
import { MAX_REDIRECTS, nextHop } from '../../../src/upstream/redirects.js'

const next = (status: number, location: string | string[] | undefined, method = 'GET', origin = 'https://api.example'): string | undefined =>
  nextHop({ origin, method, path: '/v1/a?b=c', headers: {}, body: undefined }, { status, headers: { location }, body: Buffer.alloc(0) })?.path

t.test('a read that is redirected on the same origin goes on there', async t => {
  for (const status of [301, 302, 303, 307, 308]) t.equal(next(status, '/v2/a?x=y#part'), '/v2/a?x=y', String(status))
  t.equal(next(302, 'b'), '/v1/b')
  t.equal(next(302, '?page=2'), '/v1/a?page=2')
  t.equal(next(302, 'https://api.example:443/there'), '/there')
  t.equal(MAX_REDIRECTS, 3)
})

t.test('the request goes on as it was', async t => {
  const request = { origin: 'https://api.example', method: 'POST', path: '/search', headers: { accept: 'text/csv' }, body: 'q' }
  t.same(nextHop(request, { status: 308, headers: { location: '/find' }, body: Buffer.alloc(0) }), { ...request, path: '/find' })
})

t.test('nothing goes to another origin', async t => {
  for (const location of ['https://evil.example/', '//evil.example/', 'http://api.example/', 'https://api.example:8443/', 'https://api.example@evil.example/', 'file:///etc/passwd', 'javascript:alert(1)', '\\\\evil.example']) {
    t.equal(next(302, location), undefined, location)
  }
})

t.test('what points nowhere is not followed', async t => {
  t.equal(next(302, undefined), undefined)
  t.equal(next(302, 'http://['), undefined)
  t.equal(next(302, ['/a', '/b']), undefined)
  for (const status of [200, 300, 304, 305, 306, 404]) t.equal(next(status, '/b'), undefined, String(status))
})

t.test('a read with another method goes on only where the method stays', async t => {
  for (const status of [301, 302, 303]) t.equal(next(status, '/b', 'POST'), undefined, String(status))
  for (const status of [307, 308]) t.equal(next(status, '/b', 'POST'), '/b', String(status))
})
