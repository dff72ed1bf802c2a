import { exportJWK } from 'jose'
import t from 'tap'
import { fetchKeys } from '../../../src/policy/fetch-keys.js'
import { createKey, serveKeys, withKeys, type KeyServer } from '../../fixtures/issuer.js'

const { jwk, privateKey } = await createKey()
const answering = async (t: Parameters<typeof serveKeys>[0], answer: KeyServer['answer']): Promise<string> => Object.assign(await serveKeys(t), { answer }).url

t.test('the keys of a set are those that signatures can be checked by', async t => {
  const weak = { kty: 'RSA', kid: 'k1', n: 'AQAB', e: 'AQAB' }
  const secret = { kty: 'oct', k: 'AAAA' }
  t.strictSame(await fetchKeys(await answering(t, withKeys(weak, jwk, secret, 5 as never, null as never, await exportJWK(privateKey))), 5_000), { keys: [jwk] })
  for (const keys of [[], [weak], [secret]]) await t.rejects(fetchKeys(await answering(t, withKeys(...keys)), 5_000), new Error('Expected the key set to hold a public key that can be used.'))
})

t.test('what is no key set is told as what it is', async t => {
  const answers: Array<[answer: KeyServer['answer'], message: RegExp]> = [
    [(_, response) => { response.writeHead(302, { location: 'http://127.0.0.1:1/', connection: 'close' }).end('x') }, /come with 200, got 302/],
    [(_, response) => { response.writeHead(204, { connection: 'close' }).end() }, /come with 200, got 204/],
    [(_, response) => { response.end('<html>') }, /JSON/],
    [(_, response) => { response.end() }, /JSON/],
    [(_, response) => { response.end('null') }, /Expected a JSON Web Key Set/],
    [(_, response) => { response.end('{"keys":1}') }, /Expected a JSON Web Key Set/],
    [() => {}, /timeout/]
  ]
  for (const [answer, message] of answers) await t.rejects(fetchKeys(await answering(t, answer), 200), { message }, String(message))
})

t.test('a body that never ends, or comes to no end in time, is not read on', async t => {
  let sent = 0
  const endless: KeyServer['answer'] = (_, response) => {
    const write = (): void => { while (!response.destroyed && response.write(' '.repeat(65_536))) sent += 65_536 }
    response.on('drain', write)
    write()
  }
  await t.rejects(fetchKeys(await answering(t, endless), 60_000), new Error('Expected a key set of at most 1048576 bytes.'))
  t.ok(sent < 32 * 1_048_576, String(sent))
  const slow = await answering(t, (_, response) => { response.write('{"keys":[') })
  await t.rejects(fetchKeys(slow, 200), { name: 'TimeoutError' })
})

t.test('a set of nearly that length is read', async t => {
  const url = await answering(t, (_, response) => { response.end(`${' '.repeat(1_040_000)}${JSON.stringify({ keys: [jwk] })}`) })
  t.strictSame(await fetchKeys(url, 60_000), { keys: [jwk] })
})
