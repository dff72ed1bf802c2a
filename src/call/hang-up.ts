import type { ServerResponse } from 'node:http'

/**
 * Tells when the caller hangs up before it is answered; the returned function takes the listener back. Fastify's
 * `request.signal` would say so as soon as a body was read.
 */
export function onHangUp (response: Pick<ServerResponse, 'once' | 'off' | 'writableEnded'>, listener: () => void): () => void {
  const onClose = (): void => { if (!response.writableEnded) listener() }
  response.once('close', onClose)
  return () => { response.off('close', onClose) }
}
