import t from 'tap'
import { advisedWait, backoff } from '../../../src/agent/wait.js'

const now = Date.UTC(2026, 10, 27, 12)

t.test('an advised wait comes from the header, else from the details', async t => {
  const table: Array<[says: string, status: number, headers: Record<string, unknown> | undefined, details: Record<string, string>, waitMs: number | undefined]> = [
    ['the header', 429, { 'retry-after': '7' }, {}, 7_000],
    ['a date', 503, { 'Retry-After': 'Fri, 27 Nov 2026 12:00:09 GMT' }, {}, 9_000],
    ['the details', 429, {}, { retry_after: '60s' }, 60_000],
    ['the details, over MCP', 429, undefined, { retry_after: '60s' }, 60_000],
    ['the header first', 503, { 'retry-after': '7' }, { retry_after: '60s' }, 7_000],
    ['a header that stands on every answer is none on an outage', 503, { 'x-ratelimit-reset': '40' }, {}, undefined],
    ['no less than a second', 429, undefined, { retry_after: '0s' }, 1_000],
    ['no more than a day', 429, undefined, { retry_after: '999999999s' }, 86_400_000],
    ['another spelling is absent', 429, undefined, { retry_after: '60' }, undefined],
    ['words are absent', 429, { 'retry-after': 'soon' }, { retry_after: 'soon' }, undefined],
    ['nothing', 503, {}, {}, undefined]
  ]
  for (const [says, status, headers, details, waitMs] of table) t.equal(advisedWait(status, headers, details, now), waitMs, says)
})

t.test('a wait of our own doubles, ends at the limit and is drawn from all of it', async t => {
  const all = () => 0.999999
  t.strictSame([1, 2, 3, 4, 5].map(n => backoff(n, 500, 3_000, all)), [499, 999, 1_999, 2_999, 2_999])
  t.equal(backoff(3, 500, 3_000, () => 0.5), 1_000)
  t.equal(backoff(3, 500, 3_000, () => 0), 0)
  t.equal(backoff(5_000, 500, 3_000, () => 0.5), 1_500)
})
