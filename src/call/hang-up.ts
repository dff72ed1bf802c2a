import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Roster } from '../upstream/roster.js'

// On the socket itself, for all its calls: a listener on each response would cost every call more than the rest of its set-up.
const WAITING = Symbol('candor.waiting')

interface Watched extends Socket { [WAITING]?: Roster<Waiting> }

interface Waiting { readonly response: ServerResponse, readonly listener: () => void }

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
  const roster = socket[WAITING] ??= watch(socket)
  const waiting = { response, listener }
  roster.add(waiting)
  return () => roster.remove(waiting)
}

function watch (socket: Socket): Roster<Waiting> {
  const roster = new Roster<Waiting>()
  socket.once('close', () => {
    // A copy: some may leave while others are told.
    for (const waiting of [...roster.present]) if (roster.has(waiting) && !waiting.response.writableEnded) waiting.listener()
  })
  return roster
}
