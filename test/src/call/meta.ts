import t from 'tap'
import { fromRow } from '../../../src/call/framework-error.js'
import { mistakeInMeta, withoutSensitive, withWarnings } from '../../../src/call/meta.js'
import { failedExchange } from '../../fixtures/state.js'

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

t.test('what was found in a success stands beside it, with the source where there is one', async t => {
  t.equal(withWarnings(undefined, []), undefined)
  const meta = { sources: ['a'], warnings: [{ rule: 'own' }] }
  t.equal(withWarnings(meta, []), meta)
  const warnings = [{ rule: 'evidence', error: fromRow('UNSUPPORTED_SUCCESS', 'x') }, { rule: 'masked-failure', error: fromRow('UPSTREAM_TIMEOUT', 'x'), exchange: failedExchange() }] as const
  t.strictSame(withWarnings(meta, warnings), { sources: ['a'], warnings: [{ rule: 'own' }, { rule: 'evidence', code: 'UNSUPPORTED_SUCCESS' }, { rule: 'masked-failure', source: 'source', code: 'UPSTREAM_TIMEOUT' }] })
  t.strictSame(withWarnings(undefined, [warnings[0]]), { warnings: [{ rule: 'evidence', code: 'UNSUPPORTED_SUCCESS' }] })
})

t.test('sensitive values are taken out of the words of a handler, not out of the labels of the framework', async t => {
  const redact = (text: string): string => text.replaceAll(/bank|4111|searched/g, '[redacted]')
  const meta = { sources: ['bank'], fallback: { from: 'bank', to: 'b' }, partial: [{ source: 'bank', code: 'X', message: 'The bank is shut.' }], empty: { searched: 'card 4111', candidates: 4111, widen: 'another bank' } }
  t.strictSame(withoutSensitive(meta, redact), {
    ...meta, partial: [{ source: 'bank', code: 'X', message: 'The [redacted] is shut.' }], empty: { searched: 'card [redacted]', candidates: 4111, widen: 'another [redacted]' }
  })
  t.strictSame(withoutSensitive({ empty: { searched: 'a', 4111: 'b' } as never }, redact), { empty: { searched: 'a', '[redacted]': 'b' } })
  t.strictSame(withoutSensitive({ cached: true }, redact), { cached: true })
})
