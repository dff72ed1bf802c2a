import t from 'tap'
import { isTokenRefused, notAllowed, notKnown } from '../../../src/call/authentication.js'
import type { AuthOptions } from '../../../src/policy/auth-options.js'
import type { Refused } from '../../../src/policy/authenticate.js'
import { failureAnswer } from '../../../src/protocol/answer.js'
import { createToolError, type ToolError } from '../../../src/protocol/tool-error.js'
import { ISSUER } from '../../fixtures/issuer.js'

const apiKeys = [{ id: 'a', sha256: 'a' }]
const jwt = { issuer: ISSUER, audience: 'x', jwks: 'https://x' }
const authenticate = () => undefined
const refused = (refused: Refused, auth: AuthOptions) => notKnown({ refused }, auth, 'read')

t.test('who sends nothing that can be read is told what to send', async t => {
  for (const why of ['missing', 'malformed', 'repeated'] as const) {
    t.match(refused(why, { apiKeys }), { code: 'API_KEY_MISSING', status: 401, details: { expected: 'one header Authorization: Bearer <API key>' } })
    for (const auth of [{ apiKeys, jwt }, { apiKeys, authenticate }, { jwt }, { authenticate }]) t.match(refused(why, auth), { code: 'UNAUTHORIZED', details: { expected: 'one header Authorization: Bearer <token>' } })
  }
  t.equal(new Set((['missing', 'malformed', 'repeated'] as const).map(why => refused(why, { jwt }).message)).size, 3)
})

t.test('who sends a key or a token that is not valid is told which of the two, and no more', async t => {
  t.match(refused('unknown_key', { apiKeys }), { code: 'API_KEY_INVALID', message: 'The API key is not valid here.', details: {} })
  const messages = { unknown: 'The credentials are not known here.', expired: 'The token has expired.', not_yet_valid: 'The token is not valid yet.', not_accepted: 'The token is not accepted here.' }
  for (const [why, message] of Object.entries(messages)) t.strictSame([refused(why as Refused, { apiKeys, jwt })].map(({ code, message, details }) => ({ code, message, details })), [{ code: 'UNAUTHORIZED', message, details: {} }])
})

t.test('what is wrong on the service’s own side is never a 401, and a write was not carried out', async t => {
  const cause = new Error('secret')
  t.match(notKnown({ unavailable: cause }, { jwt }, 'read'), { code: 'AUTH_PROVIDER_UNAVAILABLE', status: 503, retryable: true, cause, details: {} })
  t.match(notKnown({ unavailable: cause }, { jwt }, 'write'), { details: { outcome: 'not_applied' } })
  t.match(notKnown({ broken: cause }, { authenticate }, 'write'), { code: 'INTERNAL_ERROR', status: 500, retryable: false, cause })
})

t.test('the team’s own failure is passed on as it is', async t => {
  const failure = createToolError({ code: 'ACCOUNT_LOCKED', category: 'AUTH_ERROR', status: 403, message: 'Locked.' })
  t.equal(notKnown({ failure }, { authenticate }, 'write'), failure)
  const busy = createToolError({ code: 'BUSY', category: 'SERVICE_ERROR', message: 'Busy.' })
  t.match(notKnown({ failure: busy }, { authenticate }, 'write'), { code: 'BUSY', details: { outcome: 'not_applied' } })
})

t.test('a 401 of the team’s own leads to credentials, one about the service’s own does not', async t => {
  const own = createToolError({ code: 'SESSION_ENDED', category: 'AUTH_ERROR', message: 'The session has ended.' })
  const answer = (failure: ToolError) => failureAnswer(notKnown({ failure }, { authenticate }, 'write'), 'r')
  t.match(answer(own), { status: 401, headers: { 'www-authenticate': 'Bearer' }, body: /"credentials":"caller","next_action":"fix_credentials"/ })
  t.match(answer(createToolError({ code: 'UNAUTHORIZED', category: 'AUTH_ERROR', message: 'x' })), { headers: { 'www-authenticate': 'Bearer' } })
  const others = [createToolError({ code: 'UPSTREAM_AUTH_FAILED', category: 'AUTH_ERROR', message: 'x' }), createToolError({ code: 'ACCOUNT_LOCKED', category: 'AUTH_ERROR', status: 403, message: 'x' })]
  for (const failure of others) t.equal(answer(failure).headers['www-authenticate'], undefined, failure.code)
})

t.test('a token that was sent and refused is told from none', async t => {
  for (const why of ['unknown_key', 'unknown', 'expired', 'not_accepted'] as const) t.ok(isTokenRefused({ refused: why }), why)
  for (const why of ['missing', 'malformed', 'repeated'] as const) t.notOk(isTokenRefused({ refused: why }), why)
  t.notOk(isTokenRefused({ unavailable: undefined }))
})

t.test('a caller who is known but may not is told the scopes that are missing', async t => {
  t.match(notAllowed(['admin']), { code: 'FORBIDDEN', status: 403, details: { expected: 'the scope admin' } })
  t.match(notAllowed(['a', 'b']), { details: { expected: 'the scopes a b' } })
})
