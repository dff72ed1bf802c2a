import t from 'tap'
import { createAutomaton } from '../../../src/protocol/redact-automaton.js'

function find (forms: readonly string[], text: string, beyond = 0): string[] {
  const found: string[] = []
  createAutomaton(forms.map(form => ({ text: form, reach: form.length + beyond })))(text, (from, to) => { found.push(text.slice(from, to)) })
  return found
}

t.test('every form is found, the longest where several end', async t => {
  t.strictSame(find(['he', 'she', 'hers', 'his'], 'ushers his'), ['she', 'hers', 'his'])
  t.strictSame(find(['aaaa'], 'aaaaaa'), ['aaaa', 'aaaa', 'aaaa'])
  t.strictSame(find(['abcd', 'bc'], 'abce'), ['bc'])
  t.strictSame(find(['ab'], ''), [])
  t.strictSame(find(['é🌧'], 'aé🌧b'), ['é🌧'])
})

t.test('what is taken out may go on behind what was looked for', async t => {
  t.strictSame(find(['ab'], 'xabcdef', 2), ['abcd'])
})

t.test('it finds what a plain search finds', async t => {
  const forms = Array.from({ length: 200 }, (_, index) => (index * 7919).toString(2))
  const text = Array.from({ length: 300 }, (_, index) => (index * 104729).toString(2)).join('')
  const ends = new Set<number>()
  createAutomaton(forms.map(form => ({ text: form, reach: form.length })))(text, (_, to) => ends.add(to))
  for (let end = 1; end <= text.length; end++) if (ends.has(end) !== forms.some(form => text.endsWith(form, end))) t.fail(`at ${end}`)
  t.ok(ends.size > 0)
})
