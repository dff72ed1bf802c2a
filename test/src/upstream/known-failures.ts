import t from 'tap'
import { knownCode, knownNames, knownTexts, ownMistakes, unsentSteps } from '../../../src/upstream/known-failures.js'

const CODES: Array<[outcome: string, unsent: boolean, words: string]> = [
  ['unreachable', true, 'ECONNREFUSED ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH EHOSTDOWN ENETDOWN EADDRNOTAVAIL ESERVFAIL'],
  ['timeout', true, 'UND_ERR_CONNECT_TIMEOUT ERR_SOCKET_CONNECTION_TIMEOUT ERR_TLS_HANDSHAKE_TIMEOUT'],
  ['timeout', false, 'UND_ERR_HEADERS_TIMEOUT UND_ERR_BODY_TIMEOUT ETIMEDOUT ESOCKETTIMEDOUT'],
  ['connection_lost', false, 'UND_ERR_SOCKET ECONNRESET EPIPE ECONNABORTED UND_ERR_INFO HPE_INVALID_EOF_STATE ERR_HTTP2_STREAM_ERROR'],
  ['invalid_response', false, 'ERR_STREAM_PREMATURE_CLOSE UND_ERR_RES_CONTENT_LENGTH_MISMATCH ERR_BODY_PARSE_FAILURE'],
  ['protocol_error', false, 'UND_ERR_HEADERS_OVERFLOW UND_ERR_RES_EXCEEDED_MAX_SIZE HPE_HEADER_OVERFLOW HPE_INVALID_CONSTANT HPE_INVALID_HEADER_TOKEN'],
  ['tls_failed', true, 'CERT_HAS_EXPIRED CERT_NOT_YET_VALID CRL_HAS_EXPIRED DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_VERIFY_LEAF_SIGNATURE ERR_TLS_CERT_ALTNAME_INVALID ERR_SSL_WRONG_VERSION_NUMBER'],
  ['tls_failed', false, 'EPROTO ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED ERR_TLS_RENEGOTIATION_DISABLED UND_ERR_PRX_TLS'],
  ['redirected', false, 'ERR_TOO_MANY_REDIRECTS ERR_FR_TOO_MANY_REDIRECTS'],
  ['own_mistake', true, 'UND_ERR_INVALID_ARG ERR_INVALID_URL ERR_INVALID_CHAR ERR_INVALID_PROTOCOL ERR_UNESCAPED_CHARACTERS'],
  ['own_mistake', false, 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH ERR_INVALID_ARG_TYPE'],
  ['client_closed', true, 'UND_ERR_CLOSED'],
  ['client_closed', false, 'UND_ERR_DESTROYED'],
  ['caller_gone', false, 'ABORT_ERR UND_ERR_ABORTED ERR_CANCELED']
]

t.test('a known code says what happened, and whether it proves that nothing was sent', async t => {
  for (const [outcome, unsent, words] of CODES) {
    for (const word of words.split(' ')) t.match(knownCode(word), { outcome, unsent: unsent ? true : undefined }, word)
  }
})

t.test('an unknown code says nothing, and inherited names are no codes', async t => {
  for (const code of ['', 'EACCES', 'SQLITE_BUSY', 'constructor', '__proto__', 'toString', '23505', 'econnrefused']) t.equal(knownCode(code), undefined, code)
})

t.test('the system call tells an attempt to connect from a connection in use', async t => {
  t.strictSame(knownCode('ETIMEDOUT', 'connect'), { outcome: 'timeout', unsent: true, phase: 'connect' })
  t.strictSame(knownCode('ECONNRESET', 'connect'), { outcome: 'unreachable', unsent: true, phase: 'connect' })
  t.strictSame(knownCode('ENOENT', 'connect'), { outcome: 'unreachable', unsent: true, phase: 'connect' }, 'a Unix socket that is not there')
  t.strictSame(knownCode('ETIMEDOUT', 'queryA'), { outcome: 'unreachable', unsent: true, phase: 'dns' })
  t.strictSame(knownCode('EIO', 'getaddrinfo'), { outcome: 'unreachable', unsent: true, phase: 'dns' })
  t.strictSame(knownCode('EHOSTUNREACH', 'read'), { outcome: 'connection_lost' }, 'no proof that nothing was sent')
  t.strictSame(knownCode('ENETUNREACH', 'write'), { outcome: 'connection_lost' })
  t.match(knownCode('ECONNRESET', 'read'), { outcome: 'connection_lost' })
  t.equal(knownCode('EIO', 'read'), undefined)
  t.equal(knownCode('ENOENT', 'open'), undefined)
})

t.test('names, whole texts of fetch and steps of got are known', async t => {
  t.match(knownNames.get('TimeoutError'), { outcome: 'timeout' })
  t.match(knownNames.get('HTTPParserError'), { outcome: 'protocol_error' })
  t.match(knownNames.get('APIConnectionTimeoutError'), { outcome: 'timeout' })
  t.match(knownNames.get('AbortError'), { outcome: 'caller_gone', weak: true })
  t.equal(knownNames.get('Error'), undefined)
  t.match(knownTexts.get('terminated'), { outcome: 'invalid_response', phase: 'body' })
  t.match(knownTexts.get('redirect count exceeded'), { outcome: 'redirected' })
  t.match(knownTexts.get('fetch failed'), { outcome: 'failed', weak: true })
  t.ok(ownMistakes.has('TypeError'))
  t.equal(unsentSteps.get('secureConnect'), 'tls')
  t.equal(unsentSteps.get('response'), undefined)
})
