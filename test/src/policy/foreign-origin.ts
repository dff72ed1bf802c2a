import t, { type Test } from 'tap'
import { foreignPart, type Acquaintances, type Sender } from '../../../src/policy/foreign-origin.js'
import { createCors } from '../../../src/policy/cors.js'

type Case = [sender: Sender, bind?: string]

function isAlways (t: Test, part: 'host' | 'origin' | undefined, cases: Case[], known: Acquaintances = {}): void {
  for (const [sender, bind] of cases) t.equal(foreignPart(sender, { bind, ...known }), part, JSON.stringify([sender, bind]))
}

t.test('a request without an origin, or from a page of the service itself, is its own', async t => {
  isAlways(t, undefined, [
    [{ host: 'localhost:3000' }, '127.0.0.1'],
    [{ host: '127.0.0.1:3000' }, '::1'],
    [{ host: '[::1]:3000', origin: 'http://[::1]:3000' }, '::1'],
    [{ host: 'localhost:3000', origin: 'http://localhost:3000', fetchSite: 'same-origin' }],
    [{ host: 'localhost:3000', fetchSite: 'none' }],
    [{ host: 'LOCALHOST', origin: 'http://localhost:80' }, '127.0.0.1'],
    [{ host: 'localhost.:3000', origin: 'http://localhost.:3000' }, '127.0.0.1'],
    [{ host: '10.1.2.3:3000', origin: 'http://10.1.2.3:3000' }, '0.0.0.0'],
    [{ host: '127.1:3000', origin: 'http://127.0.0.1:3000' }],
    [{ host: 'tools.example.com' }, '0.0.0.0'],
    [{ host: 'tools.example.com' }],
    [{ host: '' }],
    [{ host: '' }, '127.0.0.1']
  ])
})

t.test('a page of another site is foreign, on every bind', async t => {
  for (const bind of [undefined, '0.0.0.0', '127.0.0.1']) {
    isAlways(t, 'origin', ([
      { host: 'localhost:3000', origin: 'http://evil.example' },
      { host: 'localhost:3000', origin: 'http://localhost:4000' },
      { host: 'localhost:3000', origin: 'http://localhost' },
      { host: 'localhost:3000', origin: 'http://127.0.0.1:3000' },
      { host: 'localhost:3000', origin: 'http://localhost.:3000' },
      { host: 'localhost:3000', origin: 'http://localhost:3000.evil.example' },
      { host: 'localhost:3000', origin: 'http://localhost:3000@evil.example' },
      { host: 'localhost:3000', origin: 'http://user@localhost:3000' },
      { host: 'localhost:3000', origin: 'http://localhost:3000/' },
      { host: 'localhost:3000', origin: 'http://localhost:3000, http://evil.example' },
      { host: 'localhost:3000', origin: 'ftp://localhost:3000' },
      { host: 'localhost:3000', origin: '' },
      { host: 'localhost:3000', origin: 'null' },
      { host: 'localhost:3000', origin: 'file://' },
      { host: 'localhost:3000', fetchSite: 'cross-site' },
      { host: 'localhost:3000', fetchSite: 'same-origin, cross-site' },
      { host: 'localhost:3000', fetchSite: ['none', 'Cross-Site'] },
      { host: 'localhost:3000', origin: 'http://localhost:3000', fetchSite: 'cross-site' }
    ] as Sender[]).map((sender): Case => [sender, bind]))
  }
  isAlways(t, 'origin', [
    [{ host: 'tools.example.com', origin: 'http://tools.example.com' }, '0.0.0.0'],
    [{ host: 'user@localhost', origin: 'http://localhost' }],
    [{ host: '', origin: 'http://localhost' }]
  ])
})

t.test('a page that was loaded in the clear is not one of a service behind TLS; the reverse may be, where a proxy is silent', async t => {
  isAlways(t, 'origin', [[{ host: 'localhost', scheme: 'https', origin: 'http://localhost' }]])
  isAlways(t, undefined, [
    [{ host: 'localhost', scheme: 'https', origin: 'https://localhost' }],
    [{ host: 'localhost:443', scheme: 'https', origin: 'https://localhost' }],
    [{ host: 'localhost', scheme: 'http', origin: 'https://localhost' }]
  ])
})

t.test('a name that was made to point at this machine is foreign where only this machine may call', async t => {
  for (const host of ['evil.example', 'evil.example:3000', 'localhost.evil.example', '127.0.0.1.evil.example', 'localhost/', 'localhost:3000@evil.example', 'a b']) {
    isAlways(t, 'host', ['127.0.0.1', '127.0.0.2', '::1', '::ffff:127.0.0.1'].map(bind => [{ host }, bind]))
    isAlways(t, undefined, [[{ host }, '0.0.0.0'], [{ host }, '10.0.0.1'], [{ host }]])
  }
})

t.test('where only this machine may call, or hosts are named, nobody can speak for a proxy', async t => {
  isAlways(t, 'host', [
    [{ host: 'localhost:3000', hostHeader: 'evil.example:3000' }, '127.0.0.1'],
    [{ host: 'evil.example', hostHeader: 'localhost:3000' }, '127.0.0.1']
  ])
  isAlways(t, undefined, [
    [{ host: 'tools.example.com', hostHeader: '127.0.0.1:3000' }, '127.0.0.1'],
    [{ host: 'tools.example.com', hostHeader: '10.0.0.7:3000' }, '0.0.0.0'],
    [{ host: 'tools.example.com', hostHeader: 'backend' }, '0.0.0.0'],
    [{ host: 'tools.example.com', hostHeader: '' }, '0.0.0.0']
  ], { hosts: ['tools.example.com', 'backend'] })
  isAlways(t, 'host', [
    [{ host: 'tools.example.com', hostHeader: 'evil.example' }, '0.0.0.0'],
    [{ host: 'tools.example.com', hostHeader: 'backend' }]
  ], { hosts: ['tools.example.com'] })
  isAlways(t, undefined, [[{ host: 'tools.example.com', hostHeader: 'backend' }, '0.0.0.0']])
})

t.test('named hosts are own ones, and where hosts are named there are no others', async t => {
  const hosts = ['tools.example.com', 'xn--bcher-kva.example', 'dotted.example.']
  isAlways(t, undefined, [
    [{ host: 'tools.example.com', origin: 'https://tools.example.com' }, '127.0.0.1'],
    [{ host: 'Tools.Example.com.:8443', origin: 'https://tools.example.com.:8443' }, '0.0.0.0'],
    [{ host: 'bücher.example' }, '0.0.0.0'],
    [{ host: 'dotted.example' }, '0.0.0.0'],
    [{ host: 'localhost:3000' }, '0.0.0.0'],
    [{ host: '10.0.0.1' }, '0.0.0.0'],
    [{ host: '' }, '0.0.0.0']
  ], { hosts })
  isAlways(t, 'host', [[{ host: 'evil.example' }, '0.0.0.0'], [{ host: 'x.tools.example.com' }]], { hosts })
  isAlways(t, 'origin', [[{ host: 'tools.example.com', origin: 'https://evil.example' }, '0.0.0.0']], { hosts })
  isAlways(t, 'host', [[{ host: 'tools.example.com' }]], { hosts: [] })
})

t.test('a page of a configured origin may ask, for a host of the service', async t => {
  const origins = createCors({ origins: ['https://app.example.com'] })
  isAlways(t, undefined, [
    [{ host: 'localhost:3000', origin: 'https://app.example.com', fetchSite: 'cross-site' }, '127.0.0.1'],
    [{ host: 'tools.example.com', origin: 'https://APP.example.com:443', fetchSite: 'cross-site' }],
    [{ host: 'localhost', origin: 'http://localhost' }]
  ], { origins })
  isAlways(t, 'origin', [
    [{ host: 'localhost', origin: 'http://app.example.com' }],
    [{ host: 'localhost', origin: 'https://app.example.com:8443' }],
    [{ host: 'localhost', origin: 'https://app.example.com.evil.example' }],
    [{ host: 'localhost', fetchSite: 'cross-site' }]
  ], { origins })
  isAlways(t, 'host', [[{ host: 'evil.example', origin: 'https://app.example.com' }, '127.0.0.1']], { origins })
})

t.test('where every page may ask, all do, but not for another host', async t => {
  const origins = createCors({ origins: ['*'] })
  isAlways(t, undefined, [[{ host: 'a', origin: 'null' }], [{ host: 'a', origin: 'http://evil.example', fetchSite: 'cross-site' }], [{ host: 'a', fetchSite: 'cross-site' }]], { origins })
  isAlways(t, 'host', [[{ host: 'evil.example', origin: 'http://evil.example' }, '127.0.0.1']], { origins })
})
