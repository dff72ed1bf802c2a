import net from 'node:net'
import tls from 'node:tls'
import t, { type Test } from 'tap'
import { testAuthority } from '../../../src/testing/certificates.js'
import { behaviours, WELL, type Behaviour } from '../../../src/testing/rogue-behaviours.js'
import { createRogueServer, type RogueOptions } from '../../../src/testing/rogue-server.js'

async function rogue (t: Test, behaviour: Parameters<typeof createRogueServer>[0], options?: RogueOptions) {
  const server = await createRogueServer(behaviour, options)
  t.teardown(() => server.close())
  return server
}

const GET = 'GET /a HTTP/1.1\r\nhost: x\r\n\r\n'

/** Writes texts one after the other, each after an answer to the one before; what came, and how it ended. */
async function talk (socket: net.Socket, texts: string[], { ms = 200 } = {}): Promise<{ text: string, end: string }> {
  const [first = '', ...rest] = texts
  let text = ''
  return await new Promise(resolve => {
    const done = (end: string) => { socket.destroy(); resolve({ text, end }) }
    socket.on('data', chunk => {
      text += String(chunk)
      if (rest.length > 0) socket.write(rest.shift()!)
      if (text.length > 5_000_000) done('endless')
    })
    socket.on('end', () => done('end')).on('error', error => done((error as { code?: string }).code ?? 'error'))
    socket.setTimeout(ms, () => done('silence'))
    if (first !== '') socket.write(first)
  })
}

const plain = (port: number) => net.connect(port, '127.0.0.1')

t.test('one answer, once the request is there as a whole', async t => {
  const server = await rogue(t, 'well_behaved')
  t.equal(server.url, `http://127.0.0.1:${server.port}`)
  t.strictSame(await talk(plain(server.port), [GET]), { text: WELL, end: 'silence' })
  t.equal(server.hits(), 1)
  for (const half of ['GET /a HTTP/1.1\r\nhost: x\r\n', 'POST /a HTTP/1.1\r\ncontent-length: 5\r\n\r\nabcd', 'POST /a HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n']) {
    t.strictSame(await talk(plain(server.port), [half]), { text: '', end: 'silence' })
  }
  for (const whole of ['POST /a HTTP/1.1\r\ncontent-length: 5\r\n\r\nabcde', 'POST /a HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n']) {
    t.equal((await talk(plain(server.port), [whole])).text, WELL)
  }
  t.equal(server.hits(), 6)
})

t.test('a connection that is never used is no hit, unless the behaviour needs no request', async t => {
  const quiet = await rogue(t, 'silent_request')
  t.strictSame(await talk(plain(quiet.port), []), { text: '', end: 'silence' })
  t.equal(quiet.hits(), 0)
  const hasty = await rogue(t, 'close_on_connect')
  t.match(await talk(plain(hasty.port), []), { end: 'end' })
  t.equal(hasty.hits(), 1)
})

t.test('nobody listens where a connection is refused', async t => {
  const { port, hits } = await createRogueServer('refused')
  t.match(await talk(plain(port), [GET]), { end: 'ECONNREFUSED' })
  t.equal(hits(), 0)
})

t.test('a connection ends as told', async t => {
  const ends: Array<[keyof typeof behaviours, end: string, text?: RegExp]> = [
    ['silent_connection', 'silence'], ['reset_in_request', 'ECONNRESET'], ['reset_after_request', 'ECONNRESET'], ['close_after_request', 'end'],
    ['half_close', 'end'], ['close_in_status_line', 'end', /^HTTP\/1\.1 20$/], ['reset_in_body', 'ECONNRESET', /\{"ok":$/], ['endless_body', 'endless']
  ]
  for (const [name, end, text = /^/] of ends) {
    const server = await rogue(t, name)
    t.match(await talk(plain(server.port), [GET], { ms: 1_000 }), { end, text }, name)
    t.equal(server.hits(), 1, name)
  }
})

t.test('the other side stays open after a half-close', async t => {
  const server = await rogue(t, 'half_close')
  const socket = net.connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true })
  t.teardown(() => socket.destroy())
  socket.write(GET)
  await new Promise(resolve => socket.on('end', resolve).resume())
  await t.resolves(new Promise<void>((resolve, reject) => socket.write(GET, error => error ? reject(error) : resolve())))
})

t.test('a connection in use is met where the first requests are answered well', async t => {
  for (const name of ['reset_in_request', 'reset_after_request'] as const) {
    const server = await rogue(t, name, { wellFirst: 2 })
    t.strictSame(await talk(plain(server.port), [GET, GET, GET]), { text: WELL + WELL, end: 'ECONNRESET' })
    t.equal(server.hits(), 3)
  }
})

t.test('a behaviour of one\'s own sees the request, and stops when the connection is gone', async t => {
  const seen: unknown[] = []
  const own: Behaviour = { does: 'looks', steps: request => { seen.push(request); return [{ send: 'x' }, { end: 'reset' }, { waitMs: 1 }, { send: 'never' }] } }
  const server = await rogue(t, own)
  await talk(plain(server.port), [GET])
  t.strictSame(seen, [{ method: 'GET', path: '/a', text: GET, origin: server.url, otherOrigin: `http://localhost:${server.port}` }])
  const early = await rogue(t, { does: 'speaks first', acts: 'connected', steps: ({ method }) => [{ send: `<${method}>` }] })
  t.equal((await talk(plain(early.port), [])).text, '<>')
})

t.test('TLS is spoken with the certificate that was asked for', async t => {
  const expected: Array<[keyof typeof behaviours, end: string]> = [
    ['tls_trusted', 'silence'], ['tls_self_signed', 'DEPTH_ZERO_SELF_SIGNED_CERT'], ['tls_wrong_name', 'ERR_TLS_CERT_ALTNAME_INVALID'], ['tls_expired', 'CERT_HAS_EXPIRED'],
    ['tls_to_plain', 'EPROTO'], ['tls_silent', 'silence'], ['tls_reset', 'ECONNRESET']
  ]
  for (const [name, end] of expected) {
    const server = await rogue(t, name)
    t.match(server.url, /^https:/, name)
    const socket = tls.connect({ port: server.port, host: '127.0.0.1', ca: testAuthority })
    t.match(await talk(socket, [GET]), { end, text: name === 'tls_trusted' ? WELL : '' }, name)
    t.equal(server.hits(), 1, name)
  }
})

t.test('plain HTTP to a server that speaks TLS is no request', async t => {
  const server = await rogue(t, 'plain_to_tls')
  t.match(server.url, /^http:/)
  t.notMatch(await talk(plain(server.port), [GET]), { text: WELL })
  t.equal(server.hits(), 1)
})

t.test('requests on one TLS connection are a hit each', async t => {
  const server = await rogue(t, 'tls_trusted')
  const { text } = await talk(tls.connect({ port: server.port, host: '127.0.0.1', ca: testAuthority }), [GET, GET])
  t.equal(text, WELL + WELL)
  t.equal(server.hits(), 2)
})
