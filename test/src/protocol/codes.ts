import t from 'tap'
import { defaultRetryable, isCategory, isStatusOf } from '../../../src/protocol/category.js'
import { codes, isCode, rowOf, wellKnownCodes, type CodeRow } from '../../../src/protocol/codes.js'

const rows: Array<[string, CodeRow]> = Object.entries(codes)

t.test('every row is one that the category allows', async t => {
  for (const [code, { category, status, retryable, since }] of rows) {
    t.ok(isCode(code), code)
    t.ok(isCategory(category), code)
    t.ok(isStatusOf(category, status), `${code} ${status}`)
    t.type(retryable, 'boolean')
    t.match(since, /^\d+\.\d+\.\d+$/)
  }
})

t.test('a row differs from the default of its category only where somebody meant it', async t => {
  const opted = rows.filter(([, { category, status, retryable }]) => retryable !== defaultRetryable(category, status)).map(([code]) => code)
  t.strictSame(opted.sort(), [
    'INVALID_INPUT', 'MISSING_REQUIRED_FIELD', // a schema violation is correctable by construction
    'UPSTREAM_PROTOCOL_ERROR', 'UPSTREAM_QUOTA_EXHAUSTED', 'UPSTREAM_REDIRECTED', 'UPSTREAM_REFUSED', 'UPSTREAM_TLS_FAILED'
  ])
})

t.test('credentials stand on the codes that somebody mends with credentials', async t => {
  const credentials = Object.fromEntries(rows.filter(([, row]) => row.credentials !== undefined).map(([code, row]) => [code, row.credentials]))
  t.strictSame(credentials, {
    UNAUTHORIZED: 'caller', API_KEY_MISSING: 'caller', API_KEY_INVALID: 'caller', FORBIDDEN: 'caller', UPSTREAM_AUTH_FAILED: 'tool'
  })
  for (const [code, row] of rows) if (row.credentials !== undefined) t.equal(row.category, 'AUTH_ERROR', code)
})

t.test('one code never crosses the wire', async t => {
  t.strictSame(rows.filter(([, row]) => row.logOnly).map(([code]) => code), ['CALLER_GONE'])
})

t.test('the row of a code is found by name, and an author\'s code has none', async t => {
  t.equal(rowOf('OVERLOADED'), codes.OVERLOADED)
  for (const code of ['LOCATION_NOT_FOUND', 'constructor', '__proto__', 'toString', '']) t.equal(rowOf(code), undefined)
})

t.test('a well-known code is spelt as its key', async t => {
  t.equal(Object.keys(wellKnownCodes).length, 12)
  for (const [key, code] of Object.entries(wellKnownCodes)) {
    t.equal(key, code)
    t.ok(isCode(code))
  }
})

t.test('a code is 2 to 64 capitals, digits and underscores, a letter first', async t => {
  for (const code of ['AB', 'A1', 'A_', 'LOCATION_NOT_FOUND', 'A'.repeat(64)]) t.ok(isCode(code), code)
  for (const code of ['', 'A', 'A'.repeat(65), 'ab', 'Ab', '1A', '_A', 'A-B', 'A B', 'AB\n', '\nAB', 'ÄB', 'A.B', undefined, null, 12, ['AB'], { toString: () => 'AB' }]) {
    t.notOk(isCode(code), String(code))
  }
})
