import t from 'tap'
import { convertCurrency, currencyList, exchangeRates } from '../../example-tools/currency/tool.js'
import { currentWeather, forecast } from '../../example-tools/weather/tool.js'
import { inputSchema, listEntry } from '../../src/capability/describe.js'
import type { FieldHint, FieldSummary } from '../../src/capability/field-hints.js'

const capabilities = [currentWeather, forecast, convertCurrency, exchangeRates, currencyList]
const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))
const all = ({ required, optional }: FieldSummary): FieldHint[] => [...required, ...optional]

t.test('what the list says of an input costs at most 300 bytes beyond the descriptions', async t => {
  for (const capability of capabilities) {
    const { input_summary: summary } = listEntry(capability as never, '')
    const beyond = bytes(summary) - all(summary).reduce((sum, { description }) => sum + bytes(description), 0)
    t.ok(beyond <= 300, `${capability.name}: ${beyond}`)
  }
})

t.test('with its examples and folded rules a typical input costs at most 300 bytes beyond what its author wrote', async t => {
  for (const capability of [currentWeather, convertCurrency, exchangeRates]) {
    const { input_summary: summary } = listEntry(capability as never, '')
    const { properties } = inputSchema(capability as never)
    const written = all(summary).reduce((sum, { name }) => sum + bytes(properties[name].description), 0)
    t.ok(bytes(summary) - written <= 300, `${capability.name}: ${bytes(summary) - written}`)
  }
})

t.test('a field is told by its type, its first example as text, and its description with the allowed values and the default', async t => {
  t.strictSame(listEntry(forecast as never, '').input_summary, {
    required: [{ name: 'location', type: 'string', example: 'London, United Kingdom', description: "A place: 'City', or 'City, Region, Country'. Regions by name, countries by name or ISO code." }],
    optional: [
      { name: 'units', type: 'string', example: 'metric', description: 'metric: °C, km/h, mm. imperial: °F, mph, inch. One of "metric", "imperial". Default "metric"' },
      { name: 'days', type: 'integer', example: '3', description: 'How many days, today included. Default 7' }
    ]
  })
})
