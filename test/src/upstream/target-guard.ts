import dns from 'node:dns'
import net from 'node:net'
import t from 'tap'
import { Client } from 'undici'
import { createGuard, guardedConnector, isNetwork, readTargetUrl } from '../../../src/upstream/target-guard.js'
import { fakeUpstream, rawAnswer } from '../../fixtures/fake-upstream.js'

const isPublic = createGuard()

t.test('public addresses are allowed', async t => {
  for (const address of ['8.8.8.8', '1.1.1.1', '172.15.255.255', '172.32.0.1', '100.63.255.255', '192.0.1.1', '223.255.255.255', '2606:4700:4700::1111', '2a00:1450:4001:80b::200e']) t.equal(isPublic(address), true, address)
})

t.test('private, loopback, link-local, metadata and other inner addresses are not', async t => {
  const inner = `0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 100.100.100.200 127.0.0.1 127.255.255.255 168.63.129.16 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.192 192.0.2.1 192.88.99.1
    192.168.0.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
    :: ::1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::ffff:a9fe:a9fe ::127.0.0.1 64:ff9b::7f00:1 64:ff9b:1::1 100::1 2001::1 2001:db8::1 2002:7f00:1::1 3fff::1 fc00::1 fd00:ec2::254 fe80::1 fec0::1 ff02::1
    fe80::1%lo 2606:4700::1%eth0 localhost 1.1 0x7f.1`
  for (const address of [...inner.split(/\s+/), '']) t.equal(isPublic(address), false, address)
})

t.test('networks of the author\'s are allowed beside the public ones', async t => {
  const allows = createGuard(['10.1.0.0/16', 'fd00::/8'])
  t.equal(allows('10.1.2.3'), true)
  t.equal(allows('fd12::1'), true)
  t.equal(allows('8.8.8.8'), true)
  t.equal(allows('10.2.0.1'), false)
  t.equal(allows('fe80::1'), false)
})

t.test('a network is an address and a number of bits', async t => {
  for (const text of ['10.0.0.0/8', '127.0.0.1/32', '::1/128', 'FD00::/8', '0.0.0.0/0']) t.equal(isNetwork(text), true, text)
  for (const text of ['10.0.0.0', '10.0.0.0/33', '::1/129', 'localhost/8', '10.0.0.0/8 ', '10.0.0/8', '', 8, undefined]) t.equal(isNetwork(text), false, String(text))
})

t.test('a target is a whole http: or https: URL without a user', async t => {
  t.equal(readTargetUrl('https://example.com/a?b').href, 'https://example.com/a?b')
  for (const text of ['', '/a', '//example.com', 'example.com', 'ftp://example.com', 'file:///etc/passwd', 'javascript:alert(1)', 'http://', 'http://user@example.com', 'http://:pass@example.com']) {
    t.throws(() => readTargetUrl(text), { code: 'TARGET_NOT_ALLOWED', category: 'INPUT_ERROR', status: 400, retryable: false, message: 'This tool does not open that address.' }, text)
  }
})

t.test('spellings of an inner address come down to it', async t => {
  for (const text of ['http://2130706433', 'http://0x7f.1', 'http://017700000001', 'http://127.1', 'http://[::ffff:127.0.0.1]', 'http://127。0。0。1']) {
    t.equal(isPublic(readTargetUrl(text).hostname.replace(/^\[|\]$/g, '')), false, text)
  }
})

async function ask (origin: string, allows: (address: string) => boolean): Promise<unknown> {
  const client = new Client(origin, { connect: guardedConnector(1_000, allows) })
  try {
    const { statusCode, body } = await client.request({ method: 'GET', path: '/' })
    await body.dump()
    return statusCode
  } catch (error) {
    return (error as { code: string }).code
  } finally {
    await client.destroy()
  }
}

t.test('what is checked is the address that is connected to', async t => {
  const fake = await fakeUpstream(t, socket => socket.write(rawAnswer(200)))
  const local = createGuard(['127.0.0.0/8', '::1/128'])
  for (const host of ['127.0.0.1', 'localhost']) {
    t.equal(await ask(`http://${host}:${fake.port}`, isPublic), 'TARGET_NOT_ALLOWED', host)
    t.equal(await ask(`http://${host}:${fake.port}`, local), 200, host)
  }
  t.equal(await ask(`http://[::1]:${fake.port}`, isPublic), 'TARGET_NOT_ALLOWED')
  t.equal(fake.hits(), 2)
})

t.test('a name with inner and public addresses leads to the public ones alone', async t => {
  const fake = await fakeUpstream(t, socket => socket.write(rawAnswer(200)))
  const lookup = dns.lookup
  t.teardown(() => { dns.lookup = lookup })
  dns.lookup = ((_: string, __: object, callback: (error: null, addresses: dns.LookupAddress[]) => void) => callback(null, [{ address: '127.0.0.2', family: 4 }, { address: '127.0.0.1', family: 4 }])) as never
  const seen: string[] = []
  const allows = (address: string): boolean => {
    seen.push(address)
    return address === '127.0.0.1'
  }
  t.equal(await ask(`http://mixed.example:${fake.port}`, allows), 200)
  // Node without its own choice among addresses asks for one alone.
  const auto = net.getDefaultAutoSelectFamily()
  t.teardown(() => net.setDefaultAutoSelectFamily(auto))
  net.setDefaultAutoSelectFamily(false)
  t.equal(await ask(`http://mixed.example:${fake.port}`, allows), 200)
  t.same(seen, ['127.0.0.2', '127.0.0.1', '127.0.0.2', '127.0.0.1'])
})

t.test('a name that is not found is that', async t => {
  const lookup = dns.lookup
  t.teardown(() => { dns.lookup = lookup })
  dns.lookup = ((_: string, __: object, callback: (error: Error) => void) => callback(Object.assign(new Error('No.'), { code: 'ENOTFOUND', syscall: 'getaddrinfo' }))) as never
  t.equal(await ask('http://nowhere.example', isPublic), 'ENOTFOUND')
})
