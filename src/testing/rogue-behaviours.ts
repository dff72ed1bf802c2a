import { gzipSync } from 'node:zlib'
import type { CertificateName } from './certificates.js'

/** One thing done to a connection. */
export type Step =
  | { readonly send: string | Uint8Array }
  /** The same text again and again, as fast as it is read. */
  | { readonly repeat: string }
  | { readonly waitMs: number }
  /** `close` and `half_close` send a FIN; after `half_close` the connection can still be written to. `reset` sends a RST. */
  | { readonly end: 'close' | 'half_close' | 'reset' }

/** One request, as far as it was understood. */
export interface RogueRequest {
  readonly method: string
  /** With its query. */
  readonly path: string
  /** Request line, headers and body as they came. */
  readonly text: string
  /** Where this server is, and the same server under a name that makes it another origin. */
  readonly origin: string
  readonly otherOrigin: string
}

/** How an upstream misbehaves. Where the steps end without an `end`, the connection stays open. */
export interface Behaviour {
  /** What it does, to go behind "an upstream that". */
  readonly does: string
  /** Who listens: nobody, a plain server, or one that speaks TLS with a certificate. @default 'plain' */
  readonly listens?: 'nobody' | 'plain' | CertificateName
  /** What its URL says, where that is not what it listens for. */
  readonly scheme?: 'http' | 'https'
  /** When it acts: at once, on the first bytes it is sent, or when a whole request is there. @default 'asked' */
  readonly acts?: 'connected' | 'spoken_to' | 'asked'
  readonly steps: readonly Step[] | ((request: RogueRequest) => readonly Step[])
}

/** HTTP/1.1 as text, with a right content length unless another one is given. */
export function rawResponse (status: number, headers: Readonly<Record<string, string>> = {}, body: string = ''): string {
  // Statuses that have no body have no length either.
  const length = status === 204 || status === 304 ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const lines = Object.entries({ 'content-type': 'application/json', ...length, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} Rogue\r\n${lines.join('')}\r\n${body}`
}

/** The answer of one that behaves: 200 with `{"ok":true}`. */
export const WELL = rawResponse(200, {}, '{"ok":true}')

/** A behaviour that is nothing but one answer. */
export function answering (status: number, headers: Readonly<Record<string, string>> = {}, body: string = '{}'): Behaviour {
  return { does: `answers ${status}`, steps: [{ send: rawResponse(status, headers, status === 204 || status === 304 ? '' : body) }] }
}

/** So long that what was sent before is read before what comes next is seen. */
const beat: Step = { waitMs: 50 }
const close: Step = { end: 'close' }
const reset: Step = { end: 'reset' }
const HEAD = 'HTTP/1.1 200 Rogue\r\ncontent-type: application/json\r\n'
const CHUNKED = `${HEAD}transfer-encoding: chunked\r\n\r\n`
const PACKED = gzipSync('{"ok":true,"padding":"0123456789"}')
const packedHead = (length: number): string => `${HEAD}content-encoding: gzip\r\ncontent-length: ${length}\r\n\r\n`
const PAGE = '<!DOCTYPE html><html><body><h1>Please log in</h1></body></html>'

/** Every behaviour with a name. Those that are one status are made by `answering`. */
export const behaviours = {
  well_behaved: { does: 'answers as it should', steps: [{ send: WELL }] },

  // Before anything is answered
  refused: { does: 'refuses the connection', listens: 'nobody', steps: [] },
  silent_connection: { does: 'accepts the connection, reads no more than the first bytes and is silent', acts: 'spoken_to', steps: [] },
  silent_request: { does: 'reads the request and is silent', steps: [] },
  reset_on_connect: { does: 'resets the connection before the request', acts: 'connected', steps: [reset] },
  close_on_connect: { does: 'closes the connection before the request', acts: 'connected', steps: [close] },
  reset_in_request: { does: 'resets the connection during the request', acts: 'spoken_to', steps: [reset] },
  reset_after_request: { does: 'resets the connection after the request', steps: [reset] },
  close_after_request: { does: 'closes the connection after the request', steps: [close] },
  half_close: { does: 'ends its side of the connection after the request and keeps the other open', steps: [{ end: 'half_close' }] },
  close_in_status_line: { does: 'closes the connection in the status line', steps: [{ send: 'HTTP/1.1 20' }, beat, close] },
  reset_in_headers: { does: 'resets the connection in the headers', steps: [{ send: `${HEAD}x-next:` }, beat, reset] },

  // What is no proper HTTP
  garbage: { does: 'speaks no HTTP', steps: [{ send: 'hello\nworld\n\n' }, close] },
  bare_lf: { does: 'ends its lines with a bare LF', steps: [{ send: 'HTTP/1.1 200 OK\nx: 1\ncontent-length: 11\n\n{"ok":true}' }, close] },
  bad_header: { does: 'sends a header with a space in its name', steps: [{ send: `${HEAD}x y: 1\r\ncontent-length: 0\r\n\r\n` }, close] },
  two_lengths: { does: 'sends two content lengths', steps: [{ send: `${HEAD}content-length: 2\r\ncontent-length: 11\r\n\r\n{"ok":true}` }, close] },
  huge_headers: { does: 'sends 20 KB of headers', steps: [{ send: rawResponse(200, { 'x-padding': 'a'.repeat(20_000) }, '{"ok":true}') }] },
  switching_protocols: { does: 'switches to a protocol that nobody asked for', steps: [{ send: 'HTTP/1.1 101 Rogue\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n' }] },

  // Bodies
  cut_by_length: { does: 'sends less than the length it promised', steps: [{ send: `${HEAD}content-length: 99\r\n\r\n{"ok":` }, beat, close] },
  cut_in_chunk: { does: 'closes the connection in a chunk', steps: [{ send: `${CHUNKED}ff\r\n{"ok":` }, beat, close] },
  cut_between_chunks: { does: 'closes the connection before the last chunk', steps: [{ send: `${CHUNKED}b\r\n{"ok":true}\r\n` }, beat, close] },
  bad_chunk: { does: 'sends a chunk whose size is no number', steps: [{ send: CHUNKED }, beat, { send: 'zz\r\n{}\r\n0\r\n\r\n' }, beat, close] },
  cut_in_gzip: { does: 'compresses its body and cuts it short', steps: [{ send: packedHead(20) }, { send: PACKED.subarray(0, 20) }] },
  no_gzip: { does: 'says that its body is compressed, which it is not', steps: [{ send: `${packedHead(11)}{"ok":true}` }] },
  reset_in_body: { does: 'resets the connection in the body', steps: [{ send: `${HEAD}content-length: 99\r\n\r\n{"ok":` }, beat, reset] },
  stalled_body: { does: 'begins a body and says no more', steps: [{ send: `${HEAD}content-length: 99\r\n\r\n{"ok":` }] },
  endless_body: { does: 'sends a body without end', steps: [{ send: CHUNKED }, { repeat: `1000\r\n${'x'.repeat(4_096)}\r\n` }] },
  cut_failure: { does: 'answers 503 and cuts its body short', steps: [{ send: 'HTTP/1.1 503 Rogue\r\nretry-after: 7\r\ncontent-length: 99\r\n\r\n{"ok":' }, beat, close] },
  page: { does: 'answers 200 with a page to log in', steps: [{ send: rawResponse(200, { 'content-type': 'text/html' }, PAGE) }] },
  page_in_502: { does: 'answers 502 with a page', steps: [{ send: rawResponse(502, { 'content-type': 'text/html' }, PAGE) }] },
  half_json: { does: 'answers 200 with half of its JSON', steps: [{ send: rawResponse(200, {}, '{"ok":') }] },

  // Answers that are none yet
  interim_noise: { does: 'sends 102 and 103 before its answer', steps: [{ send: 'HTTP/1.1 102 Rogue\r\n\r\nHTTP/1.1 102 Rogue\r\n\r\n' }, { send: `HTTP/1.1 103 Rogue\r\nlink: </a>\r\n\r\n${WELL}` }] },
  continue_unasked: { does: 'sends a 100 that nobody waits for before its answer', steps: [{ send: `HTTP/1.1 100 Continue\r\n\r\n${WELL}` }] },

  // Redirects
  redirect_to_itself: { does: 'redirects to itself', steps: ({ path }) => [{ send: rawResponse(302, { location: path }) }] },
  redirect_onward: { does: 'redirects once, to a path that answers', steps: ({ path }) => [{ send: path === '/onward' ? WELL : rawResponse(302, { location: '/onward' }) }] },
  redirect_elsewhere: { does: 'redirects to another origin', steps: ({ path, otherOrigin }) => [{ send: path === '/elsewhere' ? WELL : rawResponse(302, { location: `${otherOrigin}/elsewhere` }) }] },
  redirect_repeated: { does: 'redirects with 307, to a path that answers', steps: ({ path }) => [{ send: path === '/onward' ? WELL : rawResponse(307, { location: '/onward' }) }] },

  // TLS
  tls_trusted: { does: 'has a certificate that the test authority signed', listens: 'trusted', steps: [{ send: WELL }] },
  tls_self_signed: { does: 'has a certificate it signed itself', listens: 'self_signed', steps: [{ send: WELL }] },
  tls_wrong_name: { does: 'has a certificate for another name', listens: 'wrong_name', steps: [{ send: WELL }] },
  tls_expired: { does: 'has a certificate that has expired', listens: 'expired', steps: [{ send: WELL }] },
  tls_to_plain: { does: 'is asked for TLS and speaks plain HTTP', scheme: 'https', acts: 'spoken_to', steps: [{ send: rawResponse(400) }, beat, close] },
  plain_to_tls: { does: 'is asked in plain HTTP and speaks TLS', listens: 'trusted', scheme: 'http', steps: [{ send: WELL }] },
  tls_silent: { does: 'is asked for TLS and is silent', scheme: 'https', acts: 'spoken_to', steps: [] },
  tls_reset: { does: 'resets the connection in the TLS handshake', scheme: 'https', acts: 'spoken_to', steps: [reset] }
} as const satisfies Record<string, Behaviour>

export type BehaviourName = keyof typeof behaviours
