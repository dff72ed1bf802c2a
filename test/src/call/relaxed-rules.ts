import t from 'tap'
import { relaxedRules } from '../../../src/call/relaxed-rules.js'
import { modesOf } from '../../../src/capability/honesty-rules.js'

t.test('where every rule refuses, there is nothing to show', async t => {
  t.strictSame(relaxedRules([]), {})
  t.strictSame(relaxedRules([{ name: 'forecast', modes: modesOf() }, { name: undefined, modes: modesOf() }]), {})
})

t.test('rules that are relaxed show by capability, those of unnamed ones by number', async t => {
  const all = [
    { name: 'forecast', modes: modesOf({ evidence: 'warn', 'no-result': 'off' }) },
    { name: 'strict', modes: modesOf() },
    { name: undefined, modes: modesOf({ evidence: 'warn' }) },
    { name: undefined, modes: modesOf({ evidence: 'off', 'mock-marker': 'off' }) },
    { name: undefined, modes: modesOf({ evidence: 'warn' }) }
  ]
  t.strictSame(relaxedRules(all), {
    honesty: { forecast: { evidence: 'warn', 'no-result': 'off' } },
    honesty_unnamed: { evidence: { warn: 2, off: 1 }, 'mock-marker': { off: 1 } }
  })
  t.strictSame(relaxedRules(all.slice(2, 3)), { honesty_unnamed: { evidence: { warn: 1 } } })
})
