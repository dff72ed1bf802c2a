import t from 'tap'
import { dailyVariables, hourlyVariables, inUnits, unitOf } from '../../../example-tools/providers/variables.js'
import type { UnitChoice } from '../../../example-tools/providers/variables.js'
import { weatherAt } from '../../../example-tools/providers/weather.js'

const metric: UnitChoice = { temperature: 'celsius', wind: 'kmh', precipitation: 'mm' }
const imperial: UnitChoice = { temperature: 'fahrenheit', wind: 'mph', precipitation: 'inch' }

t.test('every variable has a unit and a finite value', async t => {
  const sample = weatherAt(52, 13, new Date('2026-07-15T12:00:00Z'))
  for (const [name, { kind, read }] of hourlyVariables) {
    t.type(unitOf(kind, metric), 'string', name)
    t.ok(Number.isFinite(inUnits(read(sample), kind, imperial)), name)
  }
  const day = { hours: [sample], sunrise: '2026-07-15T04:01', sunset: '2026-07-15T20:20', daylightSeconds: 58_740 }
  for (const [name, { kind, read }] of dailyVariables) {
    t.type(unitOf(kind, imperial), 'string', name)
    t.ok(kind === 'time' || Number.isFinite(inUnits(read(day), kind, metric)), name)
  }
})

t.test('units are spelled and converted as Open-Meteo does', async t => {
  t.equal(unitOf('temperature', metric), '°C')
  t.equal(unitOf('temperature', imperial), '°F')
  t.equal(inUnits(0, 'temperature', imperial), 32)
  t.equal(unitOf('wind', imperial), 'mp/h')
  t.equal(inUnits(36, 'wind', { ...metric, wind: 'ms' }), 10)
  t.equal(unitOf('wind', { ...metric, wind: 'kn' }), 'kn')
  t.equal(unitOf('snow', metric), 'cm')
  t.equal(unitOf('snow', imperial), 'inch')
  t.equal(inUnits(25.4, 'precipitation', imperial), 1)
  t.equal(inUnits('2026-07-15T04:01', 'time', imperial), '2026-07-15T04:01')
})
