// Twenty thousand requests that no client would send, from a fixed seed. What comes back is an envelope or nothing.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import net from 'node:net'
import { extname, resolve } from 'node:path'
import t from 'tap'
import { createFuzz, type FuzzRequest } from '../fixtures/fuzz-requests.js'
import { CANARY } from '../fixtures/fuzz-server.js'

const REQUESTS = 20_000
const AT_ONCE = 32
const SILENCE_MS = 100

const server = fork(resolve(import.meta.dirname, `../fixtures/fuzz-server${extname(import.meta.filename)}`), { execArgv: process.execArgv, env: { ...process.env, FUZZ_SERVER: '1' } })
const [{ port }] = await once(server, 'message') as [{ port: number }]
const ask = async (question: string) => { server.send(question); return (await once(server, 'message') as [any])[0] }
const run = { sent: 0, exited: false }
server.once('exit', () => { run.exited = true })

interface Seen { head: string, body: string }

/** Writes raw bytes and reads one answer, or whatever has come when the other side closes or says nothing more. */
async function exchange ({ bytes, isHead }: FuzzRequest): Promise<Seen> {
  return await new Promise(resolve => {
    const socket = net.connect(port, '127.0.0.1')
    let text = Buffer.alloc(0)
    const split = (): Seen => {
      // An interim answer is none yet.
      while (text.subarray(0, 12).toString() === 'HTTP/1.1 100' && text.includes('\r\n\r\n')) text = text.subarray(text.indexOf('\r\n\r\n') + 4)
      const end = text.indexOf('\r\n\r\n')
      return end < 0 ? { head: text.toString(), body: '' } : { head: text.subarray(0, end).toString(), body: text.subarray(end + 4).toString() }
    }
    const done = () => { socket.destroy(); resolve(split()) }
    socket.setTimeout(SILENCE_MS, done)
    socket.on('error', done)
    socket.on('close', done)
    socket.on('data', chunk => {
      text = Buffer.concat([text, chunk])
      const { head, body } = split()
      const length = /^content-length: (\d+)/im.exec(head)?.[1]
      if (length !== undefined && (isHead || Buffer.byteLength(body) >= Number(length))) done()
    })
    socket.write(bytes)
  })
}

/** What is wrong with an answer; `undefined` where it is as promised. */
function fault ({ head, body }: Seen, isHead: boolean): string | undefined {
  if (head === '') return undefined
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1])
  if (Number.isNaN(status)) return 'no status line'
  if (`${head}${body}`.includes(CANARY)) return 'a canary leaked'
  const requestId = /^x-request-id: (.*)$/im.exec(head)?.[1]?.trim()
  if (requestId === undefined || !/^[\w.-]{1,128}$/.test(requestId)) return 'no request id'
  if (!/^x-content-type-options: nosniff/im.test(head)) return 'no security headers'
  // Bytes that happened to be a second request have a second answer.
  // What the parser refused is no HEAD, whatever its first letters are.
  const unread = body !== '' && [400, 408, 431].includes(status) && /^connection: close/im.test(head)
  if ((isHead && !unread) || status === 204 || status === 304) return body === '' || body.startsWith('HTTP/1.1 ') ? undefined : 'a body where there must be none'
  const length = Number(/^content-length: (\d+)/im.exec(head)?.[1])
  if (Number.isNaN(length)) return 'no content length'
  let parsed: any
  try { parsed = JSON.parse(Buffer.from(body).subarray(0, length).toString()) } catch { return 'the body is not JSON' }
  if (status >= 200 && status <= 299) return undefined
  if (parsed.success !== false || typeof parsed.error?.retryable !== 'boolean' || !/^[A-Z][A-Z0-9_]{1,63}$/.test(parsed.error.code)) return 'the body is no envelope'
  if (parsed.error.details.request_id !== requestId) return 'two request ids'
  return length > 4096 ? 'a failure over 4 KiB' : undefined
}

t.test('whatever is sent, the answer is an envelope or nothing, and the service lives on', { timeout: 240_000 }, async t => {
  // Of this test, not of the file: while the process runs, the file has no end.
  t.teardown(() => { server.kill() })
  const next = createFuzz(42)
  for (let warm = 0; warm < 200; warm++) await exchange(next())
  server.send('reset')
  const faults = new Map<string, string>()
  const statuses = new Map<string, number>()
  let answered = 0
  let slowHealth = 0

  const sender = async () => {
    while (run.sent < REQUESTS && !run.exited && faults.size < 10) {
      run.sent++
      const request = next()
      const seen = await exchange(request)
      if (seen.head !== '') answered++
      const status = seen.head.slice(9, 12)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      const what = fault(seen, request.isHead)
      if (what !== undefined && !faults.has(what)) faults.set(what, `${request.bytes.toString('latin1').slice(0, 300)}\n=> ${seen.head}\n\n${seen.body.slice(0, 500)}`)
    }
  }
  const health = async () => {
    while (run.sent < REQUESTS && !run.exited) {
      const { status } = await fetch(`http://127.0.0.1:${port}/health`)
      if (status !== 200) slowHealth++
      await new Promise(resolve => setTimeout(resolve, 100))
    }
  }
  await Promise.all([...Array.from({ length: AT_ONCE }, sender), health()])

  t.strictSame([...faults], [], 'no answer breaks the promise')
  t.equal(run.exited, false, 'the service lives')
  t.equal(slowHealth, 0, '/health answered throughout')
  const { maxDelayMs, failures } = await ask('report')
  t.strictSame(failures, [])
  t.ok(maxDelayMs < 100, `the event loop was held for ${Math.round(maxDelayMs)} ms at the most`)
  t.ok(answered > REQUESTS / 2, `${answered} of ${run.sent} were answered: ${JSON.stringify(Object.fromEntries(statuses))}`)
})
