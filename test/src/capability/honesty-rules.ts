import t from 'tap'
import { honestyRules, mistakesInHonesty, modesOf, relaxed } from '../../../src/capability/honesty-rules.js'

t.test('every rule refuses unless somebody says otherwise; the capability has the last word', async t => {
  t.strictSame(modesOf(), { 'masked-failure': 'refuse', evidence: 'refuse', 'mock-marker': 'refuse', 'output-schema': 'refuse', 'no-result': 'refuse' })
  t.strictSame(Object.keys(modesOf()), [...honestyRules])
  t.match(modesOf({ evidence: 'warn', 'no-result': 'off' }, { evidence: 'refuse' }), { evidence: 'refuse', 'no-result': 'off', 'mock-marker': 'refuse' })
  t.match(modesOf(undefined, { evidence: 'off' }), { evidence: 'off' })
  t.match(modesOf({ evidence: 'warn' }, { evidence: undefined }), { evidence: 'warn' })
})

t.test('what is relaxed can be shown', async t => {
  t.strictSame(relaxed(modesOf()), {})
  t.strictSame(relaxed(modesOf({ evidence: 'warn', 'mock-marker': 'refuse' })), { evidence: 'warn' })
})

t.test('a mistake in the rules says what would be right', async t => {
  t.strictSame(mistakesInHonesty(undefined), [])
  t.strictSame(mistakesInHonesty({ evidence: 'warn', 'mock-marker': undefined }), [])
  t.match(mistakesInHonesty('warn'), ['`honesty` to be an object of rules.'])
  t.match(mistakesInHonesty(null), ['`honesty` to be an object of rules.'])
  t.match(mistakesInHonesty([]), ['`honesty` to be an object of rules.'])
  t.match(mistakesInHonesty({ evidnce: 'warn', evidence: 'maybe', 'no-result': () => {} }), [
    '`honesty` to have only known rules (masked-failure, evidence, mock-marker, output-schema, no-result), got `evidnce`.',
    "`honesty['evidence']` to be 'refuse', 'warn' or 'off', got a string.",
    "`honesty['no-result']` to be 'refuse', 'warn' or 'off', got a function."
  ])
})
