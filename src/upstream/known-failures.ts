import type { Phase } from './exchange.js'
import { UpstreamOutcome } from './outcome.js'

/** What a code, a name or a fixed text of a known client says. */
export interface KnownFailure {
  readonly outcome: UpstreamOutcome
  /** Does it prove that nothing was sent? Left out where in doubt: a missing proof means "may have been sent". */
  readonly unsent?: true
  readonly phase?: Phase
  /** Anything else that is known goes first: an abort often has the real reason as its cause. */
  readonly weak?: true
}

const { unreachable, timeout, connection_lost: lost, invalid_response: invalid, protocol_error: protocol, tls_failed: tls } = UpstreamOutcome
const { redirected, own_mistake: own, client_closed: closed, caller_gone: gone, failed } = UpstreamOutcome

function rows (failure: KnownFailure, words: string): Array<[string, KnownFailure]> {
  return words.trim().split(/\s+/).map(word => [word, failure])
}

/** String codes of Node, undici, axios and got. */
export const knownCodes: ReadonlyMap<string, KnownFailure> = new Map([
  ...rows({ outcome: unreachable, unsent: true, phase: 'dns' }, 'ENOTFOUND EAI_AGAIN EAI_FAIL EAI_NODATA EAI_NONAME ENODATA ESERVFAIL EREFUSED ETIMEOUT'),
  ...rows({ outcome: unreachable, unsent: true, phase: 'connect' }, 'ECONNREFUSED EHOSTUNREACH ENETUNREACH EHOSTDOWN ENETDOWN EADDRNOTAVAIL UND_ERR_BPL_MISSING_UPSTREAM'),
  ...rows({ outcome: timeout, unsent: true, phase: 'connect' }, 'UND_ERR_CONNECT_TIMEOUT ERR_SOCKET_CONNECTION_TIMEOUT'),
  ...rows({ outcome: timeout, unsent: true, phase: 'tls' }, 'ERR_TLS_HANDSHAKE_TIMEOUT'),
  ...rows({ outcome: timeout, phase: 'headers' }, 'UND_ERR_HEADERS_TIMEOUT'),
  ...rows({ outcome: timeout, phase: 'body' }, 'UND_ERR_BODY_TIMEOUT'),
  ...rows({ outcome: timeout }, 'ETIMEDOUT ESOCKETTIMEDOUT'),
  ...rows({ outcome: lost }, 'UND_ERR_SOCKET ECONNRESET EPIPE ECONNABORTED ENETRESET ENOTCONN ERR_STREAM_DESTROYED ERR_UPLOAD UND_ERR_INFO UND_ERR_SOCKS5 HPE_INVALID_EOF_STATE'),
  ...rows({ outcome: invalid, phase: 'body' }, `ERR_STREAM_PREMATURE_CLOSE UND_ERR_RES_CONTENT_LENGTH_MISMATCH UND_ERR_REQ_RETRY ERR_READING_RESPONSE_STREAM
    ERR_BODY_PARSE_FAILURE ERR_BAD_RESPONSE ERR_ENCODING_INVALID_ENCODED_DATA Z_DATA_ERROR Z_BUF_ERROR`),
  ...rows({ outcome: protocol }, 'UND_ERR_HEADERS_OVERFLOW UND_ERR_RES_EXCEEDED_MAX_SIZE ERR_HTTP2_ERROR'),
  ...rows({ outcome: tls, unsent: true, phase: 'tls' }, `DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_VERIFY_LEAF_SIGNATURE
    UNABLE_TO_GET_ISSUER_CERT UNABLE_TO_GET_ISSUER_CERT_LOCALLY UNABLE_TO_GET_CRL UNABLE_TO_DECRYPT_CERT_SIGNATURE UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY
    HOSTNAME_MISMATCH INVALID_CA INVALID_PURPOSE PATH_LENGTH_EXCEEDED ERR_TLS_CERT_ALTNAME_INVALID ERR_TLS_CERT_ALTNAME_FORMAT ERR_SSL_WRONG_VERSION_NUMBER
    ERR_SSL_UNSUPPORTED_PROTOCOL ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION`),
  ...rows({ outcome: tls, phase: 'tls' }, 'EPROTO UND_ERR_PRX_TLS'),
  ...rows({ outcome: redirected }, 'ERR_TOO_MANY_REDIRECTS ERR_FR_TOO_MANY_REDIRECTS'),
  ...rows({ outcome: own, unsent: true }, `UND_ERR_INVALID_ARG UND_ERR_NOT_SUPPORTED UND_ERR_MAX_ORIGINS_REACHED ERR_INVALID_URL ERR_INVALID_PROTOCOL ERR_UNSUPPORTED_PROTOCOL
    ERR_INVALID_CHAR ERR_INVALID_HTTP_TOKEN ERR_HTTP_INVALID_HEADER_VALUE ERR_UNESCAPED_CHARACTERS ERR_BAD_OPTION ERR_BAD_OPTION_VALUE`),
  ...rows({ outcome: own }, `UND_ERR_REQ_CONTENT_LENGTH_MISMATCH UND_ERR_INVALID_RETURN_VALUE ERR_HTTP_CONTENT_LENGTH_MISMATCH ERR_FR_MAX_BODY_LENGTH_EXCEEDED
    ERR_INVALID_ARG_TYPE ERR_INVALID_ARG_VALUE ERR_INVALID_STATE`),
  ...rows({ outcome: closed, unsent: true }, 'UND_ERR_CLOSED'),
  ...rows({ outcome: closed }, 'UND_ERR_DESTROYED'),
  ...rows({ outcome: gone, weak: true }, 'ABORT_ERR UND_ERR_ABORT UND_ERR_ABORTED ERR_ABORTED ERR_CANCELED')
])

/** Families of codes, for what the table does not list. */
export const codePrefixes: ReadonlyArray<readonly [prefix: string, failure: KnownFailure]> = [
  // The certificate is checked before the first byte of a request; other TLS alerts may come long after it.
  ['CERT_', { outcome: tls, unsent: true, phase: 'tls' }],
  ['CRL_', { outcome: tls, unsent: true, phase: 'tls' }],
  ['ERR_SSL_', { outcome: tls, phase: 'tls' }],
  ['ERR_TLS_', { outcome: tls, phase: 'tls' }],
  ['HPE_', { outcome: protocol }],
  ['ERR_HTTP2_', { outcome: lost }]
]

/** Names, for errors without a known code. `constructor.name` counts too: some SDKs leave `name` at `Error`. */
export const knownNames: ReadonlyMap<string, KnownFailure> = new Map([
  ...rows({ outcome: timeout, unsent: true, phase: 'connect' }, 'ConnectTimeoutError'),
  ...rows({ outcome: timeout, phase: 'headers' }, 'HeadersTimeoutError'),
  ...rows({ outcome: timeout, phase: 'body' }, 'BodyTimeoutError'),
  ...rows({ outcome: timeout }, 'TimeoutError APIConnectionTimeoutError'),
  ...rows({ outcome: lost }, 'SocketError APIConnectionError'),
  ...rows({ outcome: invalid, phase: 'body' }, 'ResponseContentLengthMismatchError ReadError'),
  ...rows({ outcome: protocol }, 'HTTPParserError HeadersOverflowError ResponseExceededMaxSizeError'),
  ...rows({ outcome: tls, phase: 'tls' }, 'SecureProxyConnectionError'),
  ...rows({ outcome: redirected }, 'MaxRedirectsError'),
  ...rows({ outcome: closed }, 'ClientDestroyedError ClientClosedError'),
  ...rows({ outcome: own }, 'InvalidArgumentError NotSupportedError RequestContentLengthMismatchError InvalidReturnValueError'),
  ...rows({ outcome: gone, weak: true }, 'AbortError CanceledError CancelError APIUserAbortError')
])

/** Names of the language's own errors: ours, if nothing better is known. */
export const ownMistakes: ReadonlySet<string> = new Set(['TypeError', 'RangeError', 'ReferenceError', 'SyntaxError', 'EvalError', 'URIError', 'AssertionError'])

/** Whole messages of fetch, which gives neither code nor name. */
export const knownTexts: ReadonlyMap<string, KnownFailure> = new Map([
  ['terminated', { outcome: invalid, phase: 'body' }],
  ['redirect count exceeded', { outcome: redirected }],
  ['unexpected redirect', { outcome: redirected }],
  ['max redirects', { outcome: redirected }],
  // No proof that nothing was sent: a redirect may have led there.
  ['bad port', { outcome: own }],
  ['unknown scheme', { outcome: own }],
  ['fetch failed', { outcome: failed, weak: true }],
  ['Failed to fetch', { outcome: failed, weak: true }]
])

/** got says in `event` which step of its request took too long; these come before anything is sent. */
export const unsentSteps: ReadonlyMap<string, Phase> = new Map([['lookup', 'dns'], ['connect', 'connect'], ['secureConnect', 'tls']])

/** What a string code says, `undefined` for an unknown one. The system call tells an address from a connection that was already in use. */
export function knownCode (code: string, syscall?: string): KnownFailure | undefined {
  const row = knownCodes.get(code) ?? codePrefixes.find(([prefix]) => code.startsWith(prefix))?.[1]
  if (syscall === 'connect') return { outcome: row?.outcome === timeout ? timeout : unreachable, unsent: true, phase: 'connect' }
  if (syscall === 'getaddrinfo' || syscall?.startsWith('query') === true) return { outcome: unreachable, unsent: true, phase: 'dns' }
  if ((syscall === 'read' || syscall === 'write') && row?.outcome === unreachable) return { outcome: lost }
  return row
}
