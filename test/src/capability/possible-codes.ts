import { Type } from '@sinclair/typebox'
import t from 'tap'
import { defineCapability, type Capability, type ErrorDeclarations } from '../../../src/capability/define.js'
import { declaredErrors, errorsByStatus, possibleErrors } from '../../../src/capability/possible-codes.js'
import type { JsonSchema } from '../../../src/schema/infer.js'

interface Said { effect?: 'read' | 'write', input?: JsonSchema, output?: JsonSchema, upstreams?: string[], evidence?: 'upstream', errors?: ErrorDeclarations, check?: () => undefined }
const capability = ({ effect = 'read', input = Type.Object({}), output = Type.Object({}), ...rest }: Said = {}): Capability =>
  defineCapability<JsonSchema, JsonSchema, ErrorDeclarations, string>({ name: 'a_tool', description: 'A tool.', effect, input, output, ...rest, handler: async () => ({}) })
const codesOf = (said?: Said) => possibleErrors(capability(said)).map(({ code }) => code)
const statuses = (said?: Said) => Object.fromEntries([...errorsByStatus(capability(said))].map(([status, errors]) => [status, errors.map(({ code }) => code)]))

const ALWAYS = [
  'INVALID_INPUT', 'INVALID_JSON', 'POISONED_KEY', 'INPUT_TOO_DEEP', 'INPUT_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'CAPABILITY_NOT_FOUND', 'INVALID_REQUEST', 'REQUEST_INCOMPLETE',
  'ORIGIN_NOT_ALLOWED', 'UNAUTHORIZED', 'API_KEY_MISSING', 'API_KEY_INVALID', 'FORBIDDEN', 'AUTH_PROVIDER_UNAVAILABLE', 'RATE_LIMIT_EXCEEDED', 'OVERLOADED', 'REQUEST_TIMEOUT', 'SERVICE_STOPPING', 'SERVICE_UNAVAILABLE', 'INTERNAL_ERROR', 'MOCK_DATA_REJECTED', 'OUTPUT_INVALID', 'EMPTY_HANDLER_RESULT'
]
const UPSTREAM = [
  'UPSTREAM_REJECTED_INPUT', 'UPSTREAM_NOT_FOUND', 'UPSTREAM_CONFLICT', 'UPSTREAM_AUTH_FAILED', 'UPSTREAM_FORBIDDEN', 'UPSTREAM_PAYMENT_REQUIRED', 'UPSTREAM_QUOTA_EXHAUSTED', 'UPSTREAM_RATE_LIMITED',
  'UPSTREAM_UNAVAILABLE', 'UPSTREAM_REDIRECTED', 'UPSTREAM_REFUSED', 'UPSTREAM_UNREACHABLE', 'UPSTREAM_TIMEOUT', 'UPSTREAM_CONNECTION_LOST', 'UPSTREAM_INVALID_RESPONSE', 'UPSTREAM_PROTOCOL_ERROR',
  'UPSTREAM_TLS_FAILED', 'UPSTREAM_FAILED'
]

t.test('a declared error says what its category leaves open', async t => {
  t.strictSame(declaredErrors(capability({
    errors: {
      PLACE_NOT_FOUND: { category: 'NOT_FOUND', retryable: true, description: 'No place matches.', hint: 'Add the country.' },
      PLACE_GONE: { category: 'NOT_FOUND', status: 410, description: 'The place is gone.' },
      BROKEN: { category: 'SERVICE_ERROR', status: 500, description: 'Broken.' },
      FULL: { category: 'RATE_LIMIT', description: 'Full.' }
    }
  })), [
    { code: 'PLACE_NOT_FOUND', status: 404, category: 'NOT_FOUND', retryable: true, description: 'No place matches.', hint: 'Add the country.' },
    { code: 'PLACE_GONE', status: 410, category: 'NOT_FOUND', retryable: false, description: 'The place is gone.' },
    { code: 'BROKEN', status: 500, category: 'SERVICE_ERROR', retryable: false, description: 'Broken.' },
    { code: 'FULL', status: 429, category: 'RATE_LIMIT', retryable: true, description: 'Full.' }
  ])
})

t.test('every capability can fail with what the framework says of any call', async t => {
  t.strictSame(codesOf(), ALWAYS)
  t.strictSame(codesOf({ effect: 'write' }), ALWAYS)
})

t.test('codes of upstreams are possible where upstreams are declared', async t => {
  t.strictSame(codesOf({ upstreams: ['maps'] }).filter(code => !ALWAYS.includes(code)), ['TARGET_NOT_ALLOWED', ...UPSTREAM])
})

t.test('a missing field is possible where one is required, or where the author checks', async t => {
  const nested = Type.Object({ a: Type.Optional(Type.Array(Type.Object({ b: Type.String() }))) })
  for (const said of [{ input: Type.Object({ a: Type.String() }) }, { input: nested }, { check: () => undefined }]) t.ok(codesOf(said).includes('MISSING_REQUIRED_FIELD'))
  t.notOk(codesOf({ input: { type: 'object', required: [] } }).includes('MISSING_REQUIRED_FIELD'))
})

t.test('nothing is no empty answer where nothing is declared', async t => {
  for (const output of [Type.Null(), Type.Void(), Type.Undefined()]) t.notOk(codesOf({ output }).includes('EMPTY_HANDLER_RESULT'))
})

t.test('an unsupported success is possible only where evidence is asked for', async t => {
  t.notOk(codesOf({ upstreams: ['maps'] }).includes('UNSUPPORTED_SUCCESS'))
  t.same(codesOf({ upstreams: ['maps'], evidence: 'upstream' }).filter(code => ![...ALWAYS, ...UPSTREAM, 'UNSUPPORTED_SUCCESS', 'TARGET_NOT_ALLOWED'].includes(code)), [])
})

t.test('each error says when it happens, and what to do where something can be done', async t => {
  const errors = possibleErrors(capability({ upstreams: ['maps'] }))
  t.strictSame(errors.find(({ code }) => code === 'UNSUPPORTED_MEDIA_TYPE'), {
    code: 'UNSUPPORTED_MEDIA_TYPE', status: 415, category: 'INPUT_ERROR', retryable: false, description: 'The body is not sent as JSON.', hint: 'Send application/json.'
  })
  t.strictSame(errors.find(({ code }) => code === 'UPSTREAM_TIMEOUT'), {
    code: 'UPSTREAM_TIMEOUT', status: 504, category: 'SERVICE_ERROR', retryable: true, description: 'An upstream gave no complete answer in time.'
  })
  t.strictSame(errors.find(({ code }) => code === 'UPSTREAM_AUTH_FAILED'), {
    code: 'UPSTREAM_AUTH_FAILED',
    status: 401,
    category: 'AUTH_ERROR',
    retryable: false,
    description: "An upstream does not accept this tool's credentials.",
    hint: 'Only the operator of this tool can mend that.'
  })
  t.ok(errors.every(({ description }) => description.endsWith('.') && description.length < 120))
})

t.test("an author's words go before the framework's, for the same code and status", async t => {
  const errors = { REQUEST_TIMEOUT: { category: 'SERVICE_ERROR', status: 504, description: 'The search took too long.' }, INVALID_REQUEST: { category: 'INPUT_ERROR', status: 422, description: 'No.' } } as const
  t.strictSame(possibleErrors(capability({ errors })).filter(({ code }) => code in errors).map(({ code, status, description }) => [code, status, description]), [
    ['REQUEST_TIMEOUT', 504, 'The search took too long.'],
    ['INVALID_REQUEST', 422, 'No.'],
    ['INVALID_REQUEST', 400, 'The request as a whole was refused.']
  ])
})

t.test('the errors of a read stand under their statuses', async t => {
  t.strictSame(statuses({ errors: { PLACE_NOT_FOUND: { category: 'NOT_FOUND', description: 'No place.' } } }), {
    400: ['INVALID_INPUT', 'INVALID_JSON', 'POISONED_KEY', 'INPUT_TOO_DEEP', 'INVALID_REQUEST'],
    401: ['UNAUTHORIZED', 'API_KEY_MISSING', 'API_KEY_INVALID'],
    403: ['ORIGIN_NOT_ALLOWED', 'FORBIDDEN'],
    404: ['PLACE_NOT_FOUND', 'CAPABILITY_NOT_FOUND'],
    408: ['REQUEST_INCOMPLETE'],
    413: ['INPUT_TOO_LARGE'],
    415: ['UNSUPPORTED_MEDIA_TYPE'],
    429: ['RATE_LIMIT_EXCEEDED'],
    500: ['INTERNAL_ERROR', 'MOCK_DATA_REJECTED', 'OUTPUT_INVALID', 'EMPTY_HANDLER_RESULT'],
    503: ['AUTH_PROVIDER_UNAVAILABLE', 'OVERLOADED', 'SERVICE_STOPPING', 'SERVICE_UNAVAILABLE'],
    504: ['REQUEST_TIMEOUT']
  })
})

t.test('a write that may have happened is a 500 under any code of its handler', async t => {
  const said: Said = { effect: 'write', upstreams: ['bank'], errors: { ACCOUNT_CLOSED: { category: 'INPUT_ERROR', retryable: true, description: 'Closed.' }, INVALID_REQUEST: { category: 'INPUT_ERROR', description: 'No.' } } }
  t.strictSame(statuses(said)[500], [
    'INTERNAL_ERROR', 'MOCK_DATA_REJECTED', 'OUTPUT_INVALID', 'EMPTY_HANDLER_RESULT', 'ACCOUNT_CLOSED', 'INVALID_REQUEST', 'TARGET_NOT_ALLOWED', 'REQUEST_TIMEOUT', 'SERVICE_STOPPING', ...UPSTREAM
  ])
  t.ok(statuses(said)[400]!.includes('ACCOUNT_CLOSED'))
  t.ok(errorsByStatus(capability(said)).get(500)!.every(({ category, retryable }) => category === 'SERVICE_ERROR' && !retryable))
})
