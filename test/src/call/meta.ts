import t from 'tap'
import { mistakeInMeta } from '../../../src/call/meta.js'

t.test('what the protocol knows is right', async t => {
  t.equal(mistakeInMeta(undefined), undefined)
  t.equal(mistakeInMeta({}), undefined)
  t.equal(mistakeInMeta({ sources: ['a'], cached: true, as_of: '2026-01-01T00:00:00Z', status: 'pending' }), undefined)
})

t.test('a key it does not know, and what is no JSON object, is a mistake', async t => {
  t.match(mistakeInMeta({ source: 'a' }), /got `source`/)
  t.match(mistakeInMeta({ sources: [10n] }), /to be JSON/)
  for (const meta of [null, [], 'text']) t.equal(mistakeInMeta(meta), 'Expected `meta` to be an object.')
})
