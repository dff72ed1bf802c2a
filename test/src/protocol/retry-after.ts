import t from 'tap'
import { boundWait, DEFAULT_WAIT_MS, formatWait, MAX_WAIT_MS, MIN_WAIT_MS, readRetryAfter, type HeadersLike } from '../../../src/protocol/retry-after.js'

// Nine hours from GMT: what reads a date in local time fails here.
process.env.TZ = 'Asia/Tokyo'

const now = Date.UTC(2026, 5, 1, 12, 0, 0)
const dayMs = 86_400_000

const read = (status: number, headers: HeadersLike) => readRetryAfter(status, headers, now)
const msOf = (headers: HeadersLike, status = 429) => read(status, headers)?.ms
const imf = (ms: number) => new Date(ms).toUTCString()

function asctime (ms: number) {
  const [, day, month, year, time] = /^\w+, (\d+) (\w+) (\d+) (\S+) GMT$/.exec(imf(ms))!
  return `${imf(ms).slice(0, 3)} ${month} ${String(Number(day)).padStart(2)} ${time} ${year}`
}

function rfc850 (ms: number) {
  const [, day, month, year, time] = /^\w+, (\d+) (\w+) (\d+) (\S+) GMT$/.exec(imf(ms))!
  return `Monday, ${day}-${month}-${year!.slice(2)} ${time} GMT`
}

t.test('a number of seconds is read as digits, and nothing else is', async t => {
  const corpus: Array<[value: string, ms: number | undefined, capped?: boolean]> = [
    ['0', 1_000], ['1', 1_000], ['60', 60_000], [' 60 ', 60_000], ['+5', undefined], ['-5', undefined], ['1.5', 2_000], ['60s', undefined], ['120junk', undefined],
    ['1e3', undefined], ['0x10', undefined], ['Infinity', undefined], ['99999999999', MAX_WAIT_MS, true], ['', undefined], ['soon', undefined], ['2026-01-01T00:00:00Z', undefined],
    // Neighbours
    ['00060', 60_000], ['0.0', 1_000], ['1.0001', 2_000], ['.5', undefined], ['5.', undefined], ['1.2.3', undefined], ['1_000', undefined], ['６０', undefined], ['NaN', undefined],
    ['null', undefined], ['true', undefined], ['60 s', undefined], ['PT60S', undefined], ['86400', MAX_WAIT_MS, false], ['86401', MAX_WAIT_MS, true], ['9'.repeat(400), MAX_WAIT_MS, true]
  ]
  for (const status of [429, 503]) {
    for (const [value, ms, capped = false] of corpus) {
      t.strictSame(read(status, { 'retry-after': value }), ms === undefined ? undefined : { ms, capped }, `${status} '${value}'`)
    }
  }
})

t.test('milliseconds are read before seconds', async t => {
  t.equal(msOf({ 'retry-after-ms': '1500', 'retry-after': '60' }), 1500)
  t.equal(msOf({ 'x-ms-retry-after-ms': '2500.2', 'retry-after': '60' }), 2501)
  t.equal(msOf({ 'x-ms-retry-after-ms': '2500', 'retry-after-ms': '1500' }), 1500)
  t.equal(msOf({ 'retry-after-ms': '5' }), MIN_WAIT_MS)
  for (const bad of ['', 'soon', '-1', '1e3', '100ms']) t.equal(msOf({ 'retry-after-ms': bad, 'x-ms-retry-after-ms': bad, 'retry-after': '60' }), 60_000, `'${bad}' is absent`)
})

t.test('a date is read in its three forms, in GMT', async t => {
  for (const form of [imf, rfc850, asctime]) t.equal(msOf({ 'retry-after': form(now + 60_000) }), 60_000, form(now + 60_000))
  t.equal(msOf({ 'retry-after': imf(now + 120_000) }, 503), 120_000)
  t.equal(msOf({ 'retry-after': imf(now) }), MIN_WAIT_MS)
  t.equal(msOf({ 'retry-after': imf(now - 10_000) }), MIN_WAIT_MS, 'ten seconds ago')
  t.equal(msOf({ 'retry-after': imf(now - dayMs) }), MIN_WAIT_MS, 'a day ago')
  t.equal(msOf({ 'retry-after': imf(now - dayMs - 1_000) }), undefined, 'more than a day ago')
  t.equal(msOf({ 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }), undefined)
  t.strictSame(read(429, { 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' }), { ms: MAX_WAIT_MS, capped: true })
})

t.test('a date is measured against the clock of the one who said it', async t => {
  const theirs = now - 180_000
  t.equal(msOf({ date: imf(theirs), 'retry-after': imf(theirs + 60_000) }), 60_000, 'three minutes behind')
  t.equal(msOf({ date: imf(now + 7_200_000), 'retry-after': imf(now + 7_200_000 + 60_000) }), 60_000, 'two hours ahead')
  t.equal(msOf({ date: imf(theirs), 'retry-after': asctime(theirs + 60_000) }), 60_000)
  t.equal(msOf({ date: imf(theirs), 'x-ratelimit-reset': String(theirs / 1000 + 60) }), 60_000)
  t.equal(msOf({ date: 'soon', 'retry-after': imf(now + 60_000) }), 60_000, 'a Date that is none')
  t.equal(msOf({ date: imf(theirs), 'retry-after': '60' }), 60_000, 'seconds need no clock')
})

t.test('a header sent twice: the larger', async t => {
  t.equal(msOf({ 'retry-after': '5, 120' }), 120_000, 'as fetch joins them')
  t.equal(msOf({ 'retry-after': '120,5' }), 120_000)
  t.equal(msOf({ 'retry-after': ['5', '120'] }), 120_000, 'as undici lists them')
  t.equal(msOf([['retry-after', '5'], ['Retry-After', '120']]), 120_000, 'as pairs')
  t.equal(msOf({ 'Retry-After': '120', 'retry-after': '5' }), 120_000)
  t.equal(msOf({ 'retry-after': `${imf(now + 60_000)}, ${imf(now + 90_000)}` }), 90_000, 'two dates')
  t.equal(msOf({ 'retry-after': `5, ${imf(now + 90_000)}` }), 90_000)
  t.equal(msOf({ 'retry-after': `${asctime(now + 90_000)}, 5` }), 90_000)
  t.equal(msOf({ 'retry-after': ['soon', '120'] }), 120_000)
  t.equal(msOf({ 'retry-after': 'soon, later' }), undefined)
  t.equal(msOf({ 'retry-after': [] }), undefined)
})

t.test('headers come as objects, pairs, Map or Headers, with names in any case', async t => {
  const shapes: HeadersLike[] = [
    { 'Retry-After': '60' }, { 'RETRY-AFTER': 60 }, { 'retry-after': ['60'] }, [['Retry-After', '60']], new Map([['retry-after', '60']]), new Headers({ 'Retry-After': '60' })
  ]
  for (const headers of shapes) t.equal(msOf(headers), 60_000)
  for (const value of [undefined, null, true, {}, NaN, -5, Infinity, [undefined], [['60']]]) t.equal(msOf({ 'retry-after': value }), undefined)
})

t.test('reset headers count on a rate limit: seconds from now, epoch seconds or epoch milliseconds', async t => {
  for (const name of ['ratelimit-reset', 'x-ratelimit-reset']) {
    t.equal(msOf({ [name]: '30' }), 30_000)
    t.equal(msOf({ [name]: '1.2' }), 2_000)
    t.equal(msOf({ [name]: String(now / 1000 + 45) }), 45_000, 'epoch seconds')
    t.equal(msOf({ [name]: String(now + 45_000) }), 45_000, 'epoch milliseconds')
    t.equal(msOf({ [name]: String(now / 1000 - 10) }), MIN_WAIT_MS, 'just past')
    t.equal(msOf({ [name]: '1000000001' }), undefined, 'September 2001')
    t.equal(msOf({ [name]: String(now - dayMs - 1) }), undefined)
    t.strictSame(read(429, { [name]: '1000000000' }), { ms: MAX_WAIT_MS, capped: true }, 'not above 10^9: seconds')
    t.strictSame(read(429, { [name]: '9999999999999' }), { ms: MAX_WAIT_MS, capped: true })
    for (const bad of ['', 'soon', '-5', '1e10', '2026-01-01T00:00:00Z']) t.equal(msOf({ [name]: bad }), undefined, `'${bad}' is absent`)
  }
  t.equal(msOf({ ratelimit: '"default";r=0;t=30' }), 30_000)
  t.equal(msOf({ ratelimit: '"burst"; r=0; t=7, "day"; r=10; t=3600' }), 7_000)
  t.equal(msOf({ ratelimit: 'limit=100, remaining=0, reset=5' }), undefined)
  t.equal(msOf({ ratelimit: '"default";r=0;t=soon' }), undefined)
  t.equal(msOf({ ratelimit: '"default";rest=30' }), undefined)
  t.equal(msOf({ 'x-ratelimit-reset-after': '0.25' }), MIN_WAIT_MS)
  t.equal(msOf({ 'x-ratelimit-reset-after': '12.5' }), 13_000)
  t.equal(msOf({ 'x-other-reset': '5', 'x-ratelimit-reset-after': '12.5' }), 13_000)
})

t.test('of many headers the first that parses is taken', async t => {
  const order = ['retry-after-ms', 'x-ms-retry-after-ms', 'retry-after', 'ratelimit-reset', 'ratelimit', 'x-ratelimit-reset', 'x-ratelimit-reset-after']
  const headers: Record<string, string> = {
    'retry-after-ms': '10000', 'x-ms-retry-after-ms': '20000', 'retry-after': '30', 'ratelimit-reset': '40', ratelimit: '"a";t=50', 'x-ratelimit-reset': '60', 'x-ratelimit-reset-after': '70'
  }
  for (const [index, name] of order.entries()) {
    t.equal(msOf(headers), (index + 1) * 10_000, name)
    headers[name] = 'soon'
  }
  t.equal(msOf(headers), undefined)
})

t.test('the status decides which headers speak of this answer', async t => {
  for (const status of [429, 420, 403]) {
    t.equal(msOf({ 'retry-after': '5' }, status), 5_000)
    t.equal(msOf({ 'x-ratelimit-reset': '5' }, status), 5_000)
  }
  for (const status of [500, 502, 503, 504, 529, 599]) {
    t.equal(msOf({ 'retry-after': '120' }, status), 120_000)
    t.equal(msOf({ 'retry-after-ms': '1500' }, status), 1_500)
    t.equal(msOf({ 'ratelimit-reset': '5', ratelimit: '"a";t=5', 'x-ratelimit-reset': '5', 'x-ratelimit-reset-after': '5' }, status), undefined)
  }
  for (const status of [200, 202, 204, 301, 304, 400, 401, 404, 408, 413, 499, 600, 0, NaN]) {
    t.equal(msOf({ 'retry-after': '5', 'ratelimit-reset': '5', 'ratelimit-remaining': '0' }, status), undefined, String(status))
  }
  t.equal(msOf({}), undefined, 'a bare 429 says nothing')
})

t.test('the clock is this machine\'s unless another is given', async t => {
  const wait = readRetryAfter(429, { 'retry-after': imf(Date.now() + 60_000) })
  t.ok(wait !== undefined && wait.ms > 50_000 && wait.ms <= 60_000)
})

t.test('a wait has a floor, a cap and two equal spellings', async t => {
  t.strictSame([MIN_WAIT_MS, DEFAULT_WAIT_MS, MAX_WAIT_MS], [1_000, 30_000, 86_400_000])
  t.strictSame(boundWait(0), { ms: 1_000, capped: false })
  t.strictSame(boundWait(-5), { ms: 1_000, capped: false })
  t.strictSame(boundWait(86_400_000), { ms: 86_400_000, capped: false })
  t.strictSame(boundWait(86_400_001), { ms: 86_400_000, capped: true })
  t.strictSame(boundWait(Infinity), { ms: 86_400_000, capped: true })
  t.strictSame(formatWait(60_000), { header: '60', detail: '60s' })
  t.strictSame(formatWait(1_001), { header: '2', detail: '2s' })
  t.strictSame(formatWait(0), { header: '1', detail: '1s' })
  t.strictSame(formatWait(Infinity), { header: '86400', detail: '86400s' })
})
