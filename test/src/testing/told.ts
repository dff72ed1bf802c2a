import t from 'tap'
import { codes } from '../../../src/protocol/codes.js'
import { escalated, rows, toldOf } from '../../../src/testing/told.js'

const read = { effect: 'read', idempotent: false, wrote: false, applied: false } as const
const write = { effect: 'write', idempotent: false, wrote: true, applied: false } as const

t.test('each row has the category and the retryable of its code', async t => {
  for (const { code, category, retryable, status } of Object.values(rows)) t.match(codes[code as keyof typeof codes], { category, retryable, status }, code)
})

t.test('a read is told its row', async t => {
  t.strictSame(toldOf(rows.late, read), { code: 'UPSTREAM_TIMEOUT', status: 504, category: 'SERVICE_ERROR', retryable: true, next: 'retry' })
})

t.test('a write that may have happened is not to be sent again, unless it is idempotent', async t => {
  const unknown = { code: 'UPSTREAM_TIMEOUT', status: 500, category: 'SERVICE_ERROR', retryable: false, next: 'escalate', outcome: 'unknown' }
  t.strictSame(toldOf(rows.late, write), unknown)
  t.strictSame(toldOf(rows.late, { ...write, applied: true }), unknown)
  t.match(toldOf(rows.late, { ...write, idempotent: true }), { status: 504, retryable: true, next: 'retry', outcome: 'unknown' })
  t.match(toldOf(rows.notHttp, { ...write, idempotent: true }), { status: 502, retryable: false, next: 'escalate', outcome: 'unknown' })
})

t.test('a write that did not happen is told as a read', async t => {
  t.strictSame(toldOf(rows.limited, write), { ...rows.limited, outcome: 'not_applied' })
  t.strictSame(toldOf(rows.late, { ...write, wrote: false }), { ...rows.late, outcome: 'not_applied' }, 'it was only looked up')
})

t.test('after another write of the call the whole is partial, or applied', async t => {
  t.strictSame(toldOf(rows.rejected, { ...write, applied: true }), escalated(rows.rejected, 'partial'))
  t.strictSame(toldOf(rows.late, { ...write, wrote: false, applied: true }), { code: 'UPSTREAM_TIMEOUT', status: 500, category: 'SERVICE_ERROR', retryable: false, next: 'escalate', outcome: 'applied' })
})
