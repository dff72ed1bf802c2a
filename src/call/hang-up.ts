import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

// On the socket itself, for all its calls: a listener on each response would cost every call more than the rest of its set-up.
const WAITING = Symbol('candor.waiting')

interface Watched extends Socket { [WAITING]?: Map<ServerResponse, () => void> }

/**
 * Tells when the caller hangs up before it is answered; the returned function takes the listener back. One listener a response. Fastify's
 * `request.signal` would say so as soon as a body was read.
 */
export function onHangUp (response: ServerResponse, listener: () => void): () => void {
  // HTTP/2 has many callers at one socket, who may give up one by one.
  if (response.req.httpVersionMajor > 1) {
    const closed = (): void => { if (!response.writableEnded) listener() }
    response.once('close', closed)
    return () => { response.off('close', closed) }
  }
  const socket: Watched = response.req.socket
  const waiting = socket[WAITING] ??= watch(socket)
  waiting.set(response, listener)
  return () => { waiting.delete(response) }
}

function watch (socket: Socket): Map<ServerResponse, () => void> {
  const waiting = new Map<ServerResponse, () => void>()
  socket.once('close', () => {
    for (const [response, listener] of waiting) if (!response.writableEnded) listener()
  })
  return waiting
}
