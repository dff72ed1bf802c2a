import type { Server } from 'node:http'
import type { Socket } from 'node:net'

const known = new WeakMap<Server, Set<Socket>>()

/** The connections of a server that are open, from the first time that somebody asks for them on. */
export function openSockets (server: Server): ReadonlySet<Socket> {
  const existing = known.get(server)
  if (existing !== undefined) return existing
  const sockets = new Set<Socket>()
  known.set(server, sockets)
  const keep = (socket: Socket): void => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  }
  server.on('connection', keep)
  // Over TLS requests and answers are at a socket of its own, around the other.
  server.on('secureConnection', keep)
  return sockets
}
