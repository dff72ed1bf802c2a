import t from 'tap'
import { parseHttpDate } from '../../../src/protocol/http-date.js'

// Nine hours from GMT: what reads a date in local time fails here.
process.env.TZ = 'Asia/Tokyo'

const now = Date.UTC(2026, 5, 1)

t.test('the clock of this test is not GMT', async t => {
  t.equal(new Date(now).getTimezoneOffset(), -540)
})

t.test('three forms name the same moment, whatever the local time', async t => {
  const at = Date.UTC(2015, 9, 21, 7, 28, 0)
  t.equal(parseHttpDate('Wed, 21 Oct 2015 07:28:00 GMT', now), at)
  t.equal(parseHttpDate('Wednesday, 21-Oct-15 07:28:00 GMT', now), at)
  t.equal(parseHttpDate('Wed Oct 21 07:28:00 2015', now), at)
  t.equal(parseHttpDate('Sun Nov  6 08:49:37 1994', now), Date.UTC(1994, 10, 6, 8, 49, 37), 'a day of one digit')
  t.equal(parseHttpDate('  Wed, 21 Oct 2015 07:28:00 GMT ', now), at)
  t.equal(parseHttpDate('Wed, 21 Oct 2015 07:28:00 GMT'), at, 'with the clock of this machine')
})

t.test('a year of two digits is at most 50 years ahead', async t => {
  const year = (digits: string) => new Date(parseHttpDate(`Friday, 01-May-${digits} 00:00:00 GMT`, now)!).getUTCFullYear()
  t.equal(year('26'), 2026)
  t.equal(year('76'), 2076)
  t.equal(year('77'), 1977)
  t.equal(year('99'), 1999)
  t.equal(year('00'), 2000)
})

t.test('the calendar and the clock are kept', async t => {
  t.equal(parseHttpDate('Sat, 29 Feb 2020 00:00:00 GMT'), Date.UTC(2020, 1, 29))
  t.equal(parseHttpDate('Sat, 31 Dec 2016 23:59:60 GMT'), Date.UTC(2017, 0, 1), 'a leap second')
  for (const value of [
    'Mon, 29 Feb 2021 00:00:00 GMT', 'Mon, 31 Apr 2026 00:00:00 GMT', 'Mon, 00 Jan 2026 00:00:00 GMT', 'Mon, 32 Jan 2026 00:00:00 GMT',
    'Wed, 21 Foo 2015 07:28:00 GMT', 'Wed, 21 Oct 2015 24:00:00 GMT', 'Wed, 21 Oct 2015 07:60:00 GMT', 'Wed, 21 Oct 2015 07:28:61 GMT',
    'Wednesday, 31-Feb-15 07:28:00 GMT', 'Wed Feb 31 07:28:00 2015'
  ]) t.equal(parseHttpDate(value, now), undefined, value)
})

t.test('whatever else a date may look like is none', async t => {
  for (const value of [
    undefined, '', ' ', 'soon', '60', '+5', '-5', '1.5', '0', '2026-01-01T00:00:00Z', '2026-01-01', 'Wed, 21 Oct 2015 07:28:00', 'Wed, 21 Oct 2015 07:28:00 UTC',
    'Wed, 21 Oct 2015 07:28:00 +0000', 'Wed, 21 Oct 2015 07:28:00 EST', 'wed, 21 oct 2015 07:28:00 gmt', '21 Oct 2015 07:28:00 GMT', 'Wed, 21-Oct-2015 07:28:00 GMT',
    'Wed, 1 Oct 2015 07:28:00 GMT', 'Wed, 21 Oct 2015 07:28:00 GMT, Wed, 21 Oct 2015 07:30:00 GMT', 'Wed Oct 21 2015', 'Wed Oct 21 07:28:00 2015 GMT'
  ]) t.equal(parseHttpDate(value, now), undefined, String(value))
})
