import t from 'tap'
import { nearest, nearestFew } from '../../../src/schema/nearest.js'
import { cpuMs } from '../../fixtures/cpu-time.js'

t.test('a misspelt word is found', async t => {
  for (const [word, meant, words] of [
    ['unit', 'units', ['location', 'units']],
    ['Units', 'units', ['location', 'units']],
    ['startDate', 'start_date', ['end_date', 'start_date']],
    ['zürich', 'Zurich', ['Berlin', 'Zurich']],
    ['form', 'from', ['to', 'from']],
    ['lat', 'latitude', ['longitude', 'latitude']],
    ['postal_code_of_city', 'postal_code', ['city', 'postal_code']],
    ['loaction', 'location', ['location', 'units']],
    ['metrc', 'metric', ['metric', 'imperial']],
    ['KG', 'kg', ['g', 'kg']],
    ['--', '--', ['++', '--']]
  ] as const) t.equal(nearest(word, words), meant, word)
})

t.test('another word is none that was misspelt', async t => {
  for (const [word, words] of [
    ['celsius', ['metric', 'imperial', 'kelvin']],
    ['city', ['location', 'units']],
    ['km', ['mi', 'm', 'k']],
    ['a', ['b', 'c']],
    ['to', ['total']],
    ['pickup', ['courier']],
    ['abc', ['xyz', 'uvw', '']],
    ['', ['a']],
    ['x'.repeat(65), ['x'.repeat(64)]],
    ['x'.repeat(64), ['x'.repeat(65)]]
  ] as const) t.equal(nearest(word, words), undefined, word)
})

t.test('the nearest come first, and no more than asked for', async t => {
  t.strictSame(nearestFew('weathr', ['weather', 'weathers', 'forecast', 'Weathr'], 2), ['Weathr', 'weather'])
})

t.test('a caller cannot make it long', async t => {
  const words = Array.from({ length: 100_000 }, (_, index) => `${'x'.repeat(58)}${index}`)
  t.ok(cpuMs(() => nearest('y'.repeat(64), words)) < 500)
})
