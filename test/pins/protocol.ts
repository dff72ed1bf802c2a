import t from 'tap'
import {
  categories, codes, createToolError, failureAnswer, NextAction, requestHeaders, responseHeaders, securityHeaders, successAnswer, wellKnownCodes, WriteOutcome
} from '../../src/protocol/index.js'

// The wire, frozen: every literal here is a promise to agents that are already out there. A failing test is a breaking change.
// Nothing on the right-hand side comes from the source.

const frozenCodes: Record<string, string> = {
  INVALID_INPUT: 'INPUT_ERROR 400 true',
  MISSING_REQUIRED_FIELD: 'INPUT_ERROR 400 true',
  INVALID_JSON: 'INPUT_ERROR 400 false',
  POISONED_KEY: 'INPUT_ERROR 400 false',
  INPUT_TOO_DEEP: 'INPUT_ERROR 400 false',
  INPUT_TOO_LARGE: 'INPUT_ERROR 413 false',
  UNSUPPORTED_MEDIA_TYPE: 'INPUT_ERROR 415 false',
  METHOD_NOT_ALLOWED: 'INPUT_ERROR 405 false',
  ROUTE_NOT_FOUND: 'NOT_FOUND 404 false',
  CAPABILITY_NOT_FOUND: 'NOT_FOUND 404 false',
  URI_TOO_LONG: 'INPUT_ERROR 414 false',
  INVALID_REQUEST: 'INPUT_ERROR 400 false',
  REQUEST_INCOMPLETE: 'INPUT_ERROR 408 true',
  EXPECTATION_FAILED: 'INPUT_ERROR 417 false',
  MALFORMED_REQUEST: 'INPUT_ERROR 400 false',
  HEADERS_TOO_LARGE: 'INPUT_ERROR 431 false',
  TARGET_NOT_ALLOWED: 'INPUT_ERROR 400 false',
  ORIGIN_NOT_ALLOWED: 'AUTH_ERROR 403 false',

  UNAUTHORIZED: 'AUTH_ERROR 401 false caller',
  API_KEY_MISSING: 'AUTH_ERROR 401 false caller',
  API_KEY_INVALID: 'AUTH_ERROR 401 false caller',
  FORBIDDEN: 'AUTH_ERROR 403 false caller',
  AUTH_PROVIDER_UNAVAILABLE: 'SERVICE_ERROR 503 true',
  RATE_LIMIT_EXCEEDED: 'RATE_LIMIT 429 true',
  OVERLOADED: 'SERVICE_ERROR 503 true',

  REQUEST_TIMEOUT: 'SERVICE_ERROR 504 true',
  SERVICE_STOPPING: 'SERVICE_ERROR 503 true',
  SERVICE_UNAVAILABLE: 'SERVICE_ERROR 503 true',
  INTERNAL_ERROR: 'SERVICE_ERROR 500 false',
  CORRUPT_STATE: 'SERVICE_ERROR 500 false',

  UNSUPPORTED_SUCCESS: 'SERVICE_ERROR 500 false',
  MOCK_DATA_REJECTED: 'SERVICE_ERROR 500 false',
  OUTPUT_INVALID: 'SERVICE_ERROR 500 false',
  EMPTY_HANDLER_RESULT: 'SERVICE_ERROR 500 false',

  UPSTREAM_REJECTED_INPUT: 'INPUT_ERROR 400 false',
  UPSTREAM_NOT_FOUND: 'INPUT_ERROR 400 false',
  UPSTREAM_CONFLICT: 'INPUT_ERROR 400 false',
  UPSTREAM_AUTH_FAILED: 'AUTH_ERROR 401 false tool',
  UPSTREAM_FORBIDDEN: 'AUTH_ERROR 403 false',
  UPSTREAM_PAYMENT_REQUIRED: 'AUTH_ERROR 402 false',
  UPSTREAM_QUOTA_EXHAUSTED: 'RATE_LIMIT 429 false',
  UPSTREAM_RATE_LIMITED: 'RATE_LIMIT 429 true',
  UPSTREAM_UNAVAILABLE: 'SERVICE_ERROR 502 true',
  UPSTREAM_REDIRECTED: 'SERVICE_ERROR 502 false',
  UPSTREAM_REFUSED: 'SERVICE_ERROR 502 false',
  UPSTREAM_UNREACHABLE: 'SERVICE_ERROR 502 true',
  UPSTREAM_TIMEOUT: 'SERVICE_ERROR 504 true',
  UPSTREAM_CONNECTION_LOST: 'SERVICE_ERROR 502 true',
  UPSTREAM_INVALID_RESPONSE: 'SERVICE_ERROR 502 true',
  UPSTREAM_PROTOCOL_ERROR: 'SERVICE_ERROR 502 false',
  UPSTREAM_TLS_FAILED: 'SERVICE_ERROR 502 false',
  UPSTREAM_FAILED: 'SERVICE_ERROR 502 true',
  CALLER_GONE: 'SERVICE_ERROR 503 true',

  OPERATION_IN_PROGRESS: 'SERVICE_ERROR 503 true',
  OPERATION_NOT_FOUND: 'NOT_FOUND 404 false',
  IDEMPOTENCY_STORE_UNAVAILABLE: 'SERVICE_ERROR 503 true',
  IDEMPOTENCY_KEY_REQUIRED: 'INPUT_ERROR 400 false',
  IDEMPOTENCY_KEY_INVALID: 'INPUT_ERROR 400 false',
  IDEMPOTENCY_KEY_REUSED: 'INPUT_ERROR 422 false'
}

t.test('codes, each with category, status, retryable and whose credentials', async t => {
  const told = Object.entries(codes).map(([code, row]) => {
    const { category, status, retryable } = row
    return [code, [category, status, retryable, ...('credentials' in row ? [row.credentials] : [])].join(' ')]
  })
  t.strictSame(Object.fromEntries(told), frozenCodes)
})

t.test('well-known codes for authors', async t => {
  t.strictSame(Object.values(wellKnownCodes), [
    'LOCATION_NOT_FOUND', 'SYMBOL_NOT_FOUND', 'RESOURCE_NOT_FOUND', 'INVALID_REQUEST', 'MISSING_REQUIRED_FIELD', 'INVALID_FORMAT',
    'API_KEY_MISSING', 'API_KEY_INVALID', 'UNAUTHORIZED', 'RATE_LIMIT_EXCEEDED', 'SERVICE_UNAVAILABLE', 'REQUEST_TIMEOUT'
  ])
})

t.test('categories, with status, further statuses and default retryable', async t => {
  t.strictSame(categories, {
    INPUT_ERROR: { status: 400, alsoStatuses: [405, 408, 409, 413, 414, 415, 417, 422, 431], retryable: false },
    NOT_FOUND: { status: 404, alsoStatuses: [410], retryable: false },
    AUTH_ERROR: { status: 401, alsoStatuses: [402, 403], retryable: false },
    RATE_LIMIT: { status: 429, alsoStatuses: [], retryable: true },
    SERVICE_ERROR: { status: 503, alsoStatuses: [500, 502, 504], retryable: true }
  })
})

t.test('next actions and outcomes', async t => {
  t.strictSame(Object.values(NextAction), ['query_status', 'escalate', 'fix_credentials', 'stop', 'wait_and_retry', 'retry', 'fix_input'])
  t.strictSame(Object.values(WriteOutcome), ['unknown', 'not_applied', 'applied', 'partial'])
})

t.test('header names', async t => {
  t.strictSame(Object.values(requestHeaders), ['x-request-id', 'traceparent', 'idempotency-key', 'x-request-timeout-ms'])
  t.strictSame(Object.values(responseHeaders), ['x-request-id', 'x-should-retry', 'retry-after', 'ratelimit', 'ratelimit-policy', 'x-candor-simulated'])
})

t.test('security headers', async t => {
  t.strictSame(securityHeaders, {
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin'
  })
})

t.test('a whole success', async t => {
  t.strictSame(successAnswer('{"temperature":22.5}', { sources: ['forecast'] }, '0b9f'), {
    status: 200,
    headers: {
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      'content-type': 'application/json; charset=utf-8',
      'x-request-id': '0b9f'
    },
    body: '{"success":true,"data":{"temperature":22.5},"meta":{"sources":["forecast"]}}'
  })
})

t.test('a whole failure', async t => {
  const error = createToolError({
    code: 'LOCATION_NOT_FOUND',
    message: "No place matches 'Flower Mound, TX'.",
    category: 'NOT_FOUND',
    retryable: true,
    details: { original_location: 'Flower Mound, TX', hint: "Use 'City, Region, Country'.", candidates: ['Flower Mound, Texas, United States'] }
  })
  t.strictSame(failureAnswer(error, '0b9f'), {
    status: 404,
    headers: {
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      'content-type': 'application/json; charset=utf-8',
      'x-request-id': '0b9f',
      'x-should-retry': 'false'
    },
    body: '{"success":false,"error":{"code":"LOCATION_NOT_FOUND","message":"No place matches \'Flower Mound, TX\'.","category":"NOT_FOUND","retryable":true,' +
      '"details":{"original_location":"Flower Mound, TX","hint":"Use \'City, Region, Country\'.","candidates":"Flower Mound, Texas, United States",' +
      '"next_action":"fix_input","request_id":"0b9f"}}}'
  })
})

t.test('a whole wait, and a whole challenge', async t => {
  const limited = failureAnswer(createToolError({ code: 'RATE_LIMIT_EXCEEDED', message: 'Too many calls.', category: 'RATE_LIMIT' }), '0b9f')
  t.equal(limited.status, 429)
  t.match(limited.headers, { 'retry-after': '30', 'x-should-retry': 'true' })
  t.equal(limited.body, '{"success":false,"error":{"code":"RATE_LIMIT_EXCEEDED","message":"Too many calls.","category":"RATE_LIMIT","retryable":true,' +
    '"details":{"retry_after":"30s","retry_after_source":"default","next_action":"wait_and_retry","request_id":"0b9f"}}}')
  const stranger = failureAnswer(createToolError({ code: 'UNAUTHORIZED', message: 'No key.', category: 'AUTH_ERROR' }), '0b9f')
  t.equal(stranger.status, 401)
  t.match(stranger.headers, { 'www-authenticate': 'Bearer', 'x-should-retry': 'false' })
  t.equal(stranger.body, '{"success":false,"error":{"code":"UNAUTHORIZED","message":"No key.","category":"AUTH_ERROR","retryable":false,' +
    '"details":{"credentials":"caller","next_action":"fix_credentials","request_id":"0b9f"}}}')
})
