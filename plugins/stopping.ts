import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { openSockets } from '../src/call/open-sockets.js'

/** How a service stops. */
export interface StoppingOptions {
  /** Set when the service begins to stop. */
  state: { stopping: boolean }
  /** How long the socket still listens then, in milliseconds. */
  delayMs: number
}

/** How often connections are looked through while the last calls end, in milliseconds. */
const REAP_EVERY_MS = 100

/**
 * Says when a service is stopping, and lets it: answers given from then on close their connection. Kept alive, they would
 * hold `close()` for more than a minute.
 */
export const stopping = fp(async (app: FastifyInstance, { state, delayMs }: StoppingOptions) => {
  let reaper: NodeJS.Timeout | undefined
  const sockets = openSockets(app.server)
  app.addHook('preClose', async () => {
    state.stopping = true
    await pause(delayMs)
    // A connection that was opened in advance, as browsers do, has no request that could end; Node does not count it as idle.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
    const since = performance.now()
    reaper = setInterval(() => {
      // For answers whose headers were on their way already.
      app.server.closeIdleConnections()
      hangUpOnSlowSenders(app.server, sockets, performance.now() - since)
    }, REAP_EVERY_MS)
  })
  app.addHook('onClose', async () => clearInterval(reaper))
  app.addHook('onSend', (_, reply, payload, done) => {
    if (state.stopping) reply.header('connection', 'close')
    done(null, payload)
  })
}, { name: 'candor-stopping', fastify: '5.x' })

/** Node, which looks for them while a server listens, stops looking when it closes. They have the time they always have, from the stop on at most. */
function hangUpOnSlowSenders ({ headersTimeout, requestTimeout }: Server, sockets: Iterable<Socket>, passedMs: number): void {
  for (const socket of sockets) {
    // Node's own names: what reads HTTP at a connection, and from the end of the headers to that of the answer the response.
    const { parser, _httpMessage: response } = socket as { parser?: object | null, _httpMessage?: ServerResponse | null }
    // TLS under HTTP, HTTP/2, WebSockets.
    if (parser == null) continue
    const allowedMs = response == null ? headersTimeout : response.req.complete ? Infinity : requestTimeout
    if (allowedMs > 0 && passedMs >= allowedMs) socket.destroy()
  }
}
