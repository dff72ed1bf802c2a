import net from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import tls from 'node:tls'
import { certificates } from './certificates.js'
import { behaviours, WELL, type Behaviour, type BehaviourName, type Step } from './rogue-behaviours.js'

/** An upstream that misbehaves as told. */
export interface RogueServer {
  /** With the scheme a client is meant to use, which may be the wrong one. */
  readonly url: string
  readonly port: number
  /**
   * How often it was asked: requests it was sent anything of, and connections it acted on before that. A connection that
   * was opened and never used is no hit: undici opens one after each request it gave up.
   */
  hits (): number
  /** Ends all connections. */
  close (): Promise<void>
}

/** What else a rogue server does. */
export interface RogueOptions {
  /** So many requests on each connection are answered well before it misbehaves, which then meets a connection in use. @default 0 */
  wellFirst?: number
}

/** Starts an upstream on 127.0.0.1 that plays one behaviour, by name or of your own, on raw sockets. */
export async function createRogueServer (behaviour: BehaviourName | Behaviour, { wellFirst = 0 }: RogueOptions = {}): Promise<RogueServer> {
  const played: Behaviour = typeof behaviour === 'string' ? behaviours[behaviour] : behaviour
  const { listens = 'plain', scheme = listens === 'plain' || listens === 'nobody' ? 'http' : 'https' } = played
  const open = new Set<net.Socket>()
  let hits = 0
  const server = net.createServer({ allowHalfOpen: true, noDelay: true }, raw => {
    open.add(raw)
    raw.on('close', () => open.delete(raw)).on('error', () => {})
    const secure = listens === 'plain' || listens === 'nobody' ? undefined : new tls.TLSSocket(raw, { isServer: true, ...certificates[listens] })
    secure?.on('error', () => raw.destroy())
    // The handshake asks for something before any request.
    const hitAtOnce = secure !== undefined || played.acts === 'connected'
    if (hitAtOnce) hits++
    const asked = (nth: number): void => { if (nth > 1 || !hitAtOnce) hits++ }
    serve({ raw, socket: secure ?? raw, played, wellFirst, port, scheme, asked })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as net.AddressInfo
  const close = async (): Promise<void> => {
    for (const socket of open) socket.destroy()
    await new Promise(resolve => server.close(resolve))
  }
  if (listens === 'nobody') await close()
  return { url: `${scheme}://127.0.0.1:${port}`, port, hits: () => hits, close }
}

interface Connection {
  /** What a reset is sent on. */
  raw: net.Socket
  /** What is spoken on: the same, or TLS over it. */
  socket: net.Socket
  played: Behaviour
  wellFirst: number
  port: number
  scheme: string
  /** Told of each request by its number on this connection. */
  asked (nth: number): void
}

/** Plays the behaviour to one connection. */
function serve (connection: Connection): void {
  const { socket, played: { acts = 'asked' }, wellFirst } = connection
  if (acts === 'connected') {
    play(connection, stepsFor(connection, ''))
    return
  }
  let received = ''
  let nth = 0
  let between = true
  socket.on('end', () => socket.end())
  socket.on('data', chunk => {
    received += String(chunk)
    if (between) connection.asked(++nth)
    const misbehaves = nth > wellFirst
    const request = misbehaves && acts === 'spoken_to' ? received : wholeRequest(received)
    between = request !== undefined
    if (request === undefined) return
    received = ''
    // What comes first is all that it hears.
    if (misbehaves && acts === 'spoken_to') socket.pause()
    play(connection, misbehaves ? stepsFor(connection, request) : [{ send: WELL }])
  })
}

function stepsFor (connection: Connection, text: string): readonly Step[] {
  const { played: { steps } } = connection
  if (typeof steps !== 'function') return steps
  const [method = '', path = ''] = text.split(/\s/, 2)
  return steps({ method, path, text, origin: originOf(connection, '127.0.0.1'), otherOrigin: originOf(connection, 'localhost') })
}

function originOf ({ scheme, port }: Connection, host: string): string {
  return `${scheme}://${host}:${port}`
}

/** The request once it is there as a whole; clients send one at a time and wait for its answer. */
function wholeRequest (received: string): string | undefined {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const head = received.slice(0, end)
  const body = received.slice(end + 4)
  if (/^transfer-encoding: *chunked/im.test(head)) return body.endsWith('0\r\n\r\n') ? received : undefined
  const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0)
  return Buffer.byteLength(body) >= length ? received : undefined
}

async function play ({ raw, socket }: Connection, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    if (raw.destroyed) return
    if ('send' in step) socket.write(step.send)
    else if ('waitMs' in step) await wait(step.waitMs)
    else if ('repeat' in step) await pour(socket, step.repeat)
    else if (step.end === 'reset') raw.resetAndDestroy()
    else if (step.end === 'close') socket.end(() => raw.destroySoon())
    else socket.end()
  }
}

/** Writes without end, no faster than it is read. */
async function pour (socket: net.Socket, text: string): Promise<void> {
  while (socket.writable) await new Promise(resolve => socket.write(text, resolve))
}
