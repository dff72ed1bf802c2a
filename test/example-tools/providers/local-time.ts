import t from 'tap'
import { isoLocal, localTime } from '../../../example-tools/providers/local-time.js'

const now = new Date('2026-11-27T12:00:00Z')

t.test('a time zone has an offset and an abbreviation', async t => {
  t.same(localTime('GMT', 0, 0, now), { timezone: 'GMT', abbreviation: 'GMT', offsetSeconds: 0 })
  t.same(localTime('America/New_York', 0, 0, now), { timezone: 'America/New_York', abbreviation: 'GMT-5', offsetSeconds: -18_000 })
  t.same(localTime('Asia/Kathmandu', 0, 0, now), { timezone: 'Asia/Kathmandu', abbreviation: 'GMT+5:45', offsetSeconds: 20_700 })
})

t.test('auto finds the zone of the nearest place, or that of the longitude far from any', async t => {
  t.equal(localTime('auto', 35.7, 139.7, now)?.timezone, 'Asia/Tokyo')
  t.equal(localTime('auto', -50, -30, now)?.offsetSeconds, -7200)
  t.equal(localTime('auto', -50, 30, now)?.offsetSeconds, 7200)
  t.equal(localTime('auto', -50, 0, now)?.offsetSeconds, 0)
})

t.test('a zone of no such name is none', async t => {
  t.equal(localTime('Mars/Olympus', 0, 0, now), undefined)
})

t.test('a local time is written without its offset', async t => {
  t.equal(isoLocal(now, -18_000), '2026-11-27T07:00')
})
