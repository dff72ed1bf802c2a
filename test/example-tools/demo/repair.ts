import t from 'tap'
import { repair } from '../../../example-tools/demo/repair.js'

t.test('an input becomes what the details say is right', async t => {
  const input = { amount: 100, from: 'US Dollar', unit: 'metric', location: 'Flower Mound, TX' }
  const rows: Array<[says: string, details: Record<string, string>, repaired: object | undefined]> = [
    ['a misspelt field is renamed', { field: 'unit', did_you_mean: 'units' }, { amount: 100, from: 'US Dollar', units: 'metric', location: 'Flower Mound, TX' }],
    ['a wrong value is replaced', { field: 'from', did_you_mean: 'USD' }, { ...input, from: 'USD' }],
    ['the first candidate is taken, without the name that explains it', { field: 'from', candidates: 'USD (United States Dollar); AUD (Australian Dollar)' }, { ...input, from: 'USD' }],
    ['the field is the one that held what was looked for', { original_location: 'Flower Mound, TX', candidates: 'Flower Mound, Texas, United States' }, { ...input, location: 'Flower Mound, Texas, United States' }],
    ['no candidate, no repair', { field: 'from', hint: 'Use a code.' }, undefined],
    ['a candidate for nobody', { candidates: 'USD' }, undefined],
    ['a field inside another is left to a model', { field: 'symbols[0]', candidates: 'USD' }, undefined],
    ['nothing said', {}, undefined]
  ]
  for (const [says, details, repaired] of rows) t.strictSame(repair(input, { details }, ['amount', 'from', 'units', 'location']), repaired, says)
})
