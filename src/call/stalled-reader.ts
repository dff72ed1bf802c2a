import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/**
 * Lets go of readers who take nothing of their answer for as long as a sender may take for a request. Node waits for them, with the answer in
 * memory. A slow one who goes on is not one of them, nor a call that is quiet because it works.
 */
export function dropStalledReaders (server: Server): void {
  // First: an answer may be whole before any listener behind that of the service is asked.
  server.prependListener('request', (_: IncomingMessage, response: ServerResponse) => {
    response.once('prefinish', () => {
      // What the system has taken already is the reader's.
      if (server.requestTimeout > 0 && !response.writableFinished) limit(response, server)
    })
  })
}

function limit (response: ServerResponse, server: Server): void {
  const socket = response.socket!
  // After the end of the answer before it, at which Node gives the connection the time of an idle one.
  const start = setImmediate(() => socket.setTimeout(server.requestTimeout))
  // Before Node's own listener, for the same reason.
  response.prependOnceListener('finish', () => {
    clearImmediate(start)
    socket.setTimeout(server.timeout)
  })
}
