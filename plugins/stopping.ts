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

/** How often idle connections are looked for while the last calls end, in milliseconds. */
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
    // For answers whose headers were on their way already.
    reaper = setInterval(() => app.server.closeIdleConnections(), REAP_EVERY_MS)
  })
  app.addHook('onClose', async () => clearInterval(reaper))
  app.addHook('onSend', (_, reply, payload, done) => {
    if (state.stopping) reply.header('connection', 'close')
    done(null, payload)
  })
}, { name: 'candor-stopping', fastify: '5.x' })
