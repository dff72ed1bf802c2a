import { ServerResponse, type IncomingMessage } from 'node:http'
import type { MadeAnswer } from '../protocol/answer.js'
import { securityHeaders } from '../protocol/headers.js'

const SECURED = Symbol('candor.secured')

/** What Node's response has beside its documented methods, since its first versions: the one that makes a text of the head. */
interface Head { _storeHeader (firstLine: string, headers: object): void }

const storeHeader = (ServerResponse.prototype as unknown as Head)._storeHeader

/** Name and line, in their order. */
const LINES = Object.entries(securityHeaders).map(([name, value]) => [name, `${name}: ${value}\r\n`] as const)
const NAMES = Object.keys(securityHeaders)
const ALL = LINES.map(([, line]) => line).join('')

/**
 * A response that has the security headers written in one piece: one by one, each is looked at as if it came from a stranger,
 * and all of them together cost an answer as much as its check. What is set under one of their names takes its place.
 */
export class SecureResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> implements Head {
  // Not there before it is asked for: a field would cost every response more to make.
  declare private [SECURED]?: true

  get isSecured (): boolean { return this[SECURED] === true }

  secure (): void { this[SECURED] = true }

  _storeHeader (firstLine: string, headers: object): void {
    storeHeader.call(this, this[SECURED] === true ? firstLine + linesBeside(headers) : firstLine, headers)
  }
}

/** Node hands over what was set as an object by name in lower case. */
function linesBeside (headers: object): string {
  for (const [name] of LINES) if (name in headers) return LINES.filter(([name]) => !(name in headers)).map(([, line]) => line).join('')
  return ALL
}

/** A reply as Fastify makes it. */
interface Reply {
  readonly raw: object
  getHeader (name: string): unknown
  headers (headers: Readonly<Record<string, string>>): unknown
}

/** Has the security headers written by the response; `false` where it cannot, or where a hook has set one of them. */
export function secure (reply: Reply): boolean {
  const { raw } = reply
  if (!(raw instanceof SecureResponse)) return false
  for (const name of NAMES) if (reply.getHeader(name) !== undefined) return false
  raw.secure()
  return true
}

/** Will the response write them? */
export function isSecured (raw: object): boolean {
  return raw instanceof SecureResponse && raw.isSecured
}

/** Sets the headers of an answer, the security headers among them: whatever stands under their names, it replaces. */
export function setHeaders (reply: Reply, { headers, own }: Pick<MadeAnswer, 'headers' | 'own'>): void {
  reply.headers(secure(reply) ? own : headers)
}
