import t from 'tap'
import { namesSeveralHosts } from '../../../src/policy/several-hosts.js'

t.test('one host is named once, in the header or in both places alike', async t => {
  for (const [rawHeaders, target] of [
    [['Host', 'localhost:3000'], '/'],
    [['Accept', 'host', 'Host', 'localhost'], '/http://evil.example/'],
    [['host', 'localhost'], '//evil.example/'],
    [['host', 'localhost'], '*'],
    [['host', 'localhost:80'], 'http://LOCALHOST/health?x=http://evil.example'],
    [['host', 'localhost:443'], 'https://localhost'],
    [[], 'http://localhost/'],
    [[], '/']
  ] as const) t.notOk(namesSeveralHosts(rawHeaders, target), JSON.stringify([rawHeaders, target]))
})

t.test('two hosts are named by two headers, or by header and target', async t => {
  for (const [rawHeaders, target] of [
    [['Host', 'localhost', 'HOST', 'evil.example'], '/'],
    [['Host', 'localhost', 'X', 'y', 'Host', 'localhost'], '/'],
    [['Host', 'localhost'], 'http://evil.example/health'],
    [['Host', 'localhost'], 'HTTP://localhost:3000/health'],
    [['Host', 'localhost'], 'http://localhost@evil.example/'],
    [['Host', 'localhost'], 'http:///health'],
    [['Host', 'a b'], 'http://localhost/']
  ] as const) t.ok(namesSeveralHosts(rawHeaders, target), JSON.stringify([rawHeaders, target]))
})
