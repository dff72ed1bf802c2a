import t from 'tap'
import { isLocalName, isLoopback, nameOf, originKey, readHost, readOrigin } from '../../../src/policy/origins.js'

t.test('an origin is read as a browser writes it, however it is spelt', async t => {
  const origins = {
    'https://app.example.com': 'https://app.example.com',
    'HTTPS://App.Example.com:443': 'https://app.example.com',
    'http://localhost:80': 'http://localhost',
    'http://localhost:8080': 'http://localhost:8080',
    'http://[::0:1]:3000': 'http://[::1]:3000',
    'http://127.1': 'http://127.0.0.1',
    'https://bücher.example': 'https://xn--bcher-kva.example',
    'https://app.example.com.': 'https://app.example.com.',
    'capacitor://localhost': 'capacitor://localhost',
    'chrome-extension://abcdef': 'chrome-extension://abcdef'
  }
  for (const [text, key] of Object.entries(origins)) t.equal(originKey(readOrigin(text)!), key, text)
})

t.test('what is more or less than an origin is none', async t => {
  const none = [
    '', 'null', '*', 'app.example.com', '//app.example.com', 'file://', 'https://', 'https:app.example.com', 'http://app.example.com/', 'http://app.example.com/path', 'http://app.example.com?x', 'http://app.example.com#x',
    'http://user@app.example.com', 'http://localhost:3000@evil.example', 'http://localhost\\@evil.example', 'http://a b', 'http://localhost:99999', 'http://a, http://b', 'http://a,http://b', 'http://local\thost', ' http://localhost', 'data:text/html,x'
  ]
  for (const text of none) t.equal(readOrigin(text), undefined, text)
})

t.test('a host is a name or an address, and a port that may be the usual one', async t => {
  t.equal(readHost('LOCALHOST:80')!.host, 'localhost')
  t.equal(readHost('localhost:443', 'https:')!.host, 'localhost')
  t.equal(readHost('localhost:443')!.host, 'localhost:443')
  t.equal(readHost('[::1]:3000')!.host, '[::1]:3000')
  for (const host of ['', 'a b', 'localhost/', 'localhost/x', 'user@localhost', 'localhost?x', 'localhost#x', 'localhost\\x', 'localhost:x', 'local\thost']) t.equal(readHost(host), undefined, host)
})

t.test('a dot at the end of a name changes nothing', async t => {
  for (const host of ['localhost', 'localhost.', 'LocalHost.:3000']) t.equal(nameOf(readHost(host)!), 'localhost')
  t.equal(nameOf(readHost('1.2.3.4.')!), '1.2.3.4')
})

t.test('localhost and addresses are names that nobody else has', async t => {
  for (const name of ['localhost', '127.0.0.1', '10.0.0.1', '[::1]', '[fe80::1]']) t.ok(isLocalName(name), name)
  for (const name of ['', 'localhost.evil.example', 'evil-localhost', '127.0.0.1.evil.example', 'x.localhost']) t.notOk(isLocalName(name), name)
})

t.test('an address of the machine itself is known in every form that Node gives it', async t => {
  for (const address of ['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1']) t.ok(isLoopback(address), address)
  for (const address of [undefined, '', '0.0.0.0', '::', '10.0.0.1', '::ffff:10.0.0.1', '1127.0.0.1']) t.notOk(isLoopback(address), String(address))
})
