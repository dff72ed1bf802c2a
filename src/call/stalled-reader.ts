import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { openSockets } from './open-sockets.js'

/** A socket of Node's server, with the response that is under way, as Node keeps it there. */
interface ServerSocket extends Socket { _httpMessage?: ServerResponse | null }

/** How often it is looked who has not taken his answer, in milliseconds. */
const LOOK_EVERY_MS = 1_000

/**
 * Lets go of readers who take nothing of their answer for as long as a sender may take for a request. Node waits for them, with the answer in
 * memory. A slow one who goes on is not one of them, nor a call that is quiet because it works. Looked for from time to time: nearly
 * every answer is taken at once, and a listener on each would cost every call.
 */
export function dropStalledReaders (server: Server): void {
  const sockets = openSockets(server)
  const limited = new WeakSet<ServerResponse>()
  const look = (): void => {
    if (server.requestTimeout === 0) return
    for (const socket of sockets as ReadonlySet<ServerSocket>) {
      const response = socket._httpMessage
      if (response?.writableEnded !== true || response.writableFinished || limited.has(response)) continue
      limited.add(response)
      socket.setTimeout(server.requestTimeout)
      // Before Node's own listener, which gives the connection the time of an idle one.
      response.prependOnceListener('finish', () => socket.setTimeout(server.timeout))
    }
  }
  server.on('listening', () => {
    const timer = setInterval(look, LOOK_EVERY_MS).unref()
    server.once('close', () => clearInterval(timer))
  })
}
