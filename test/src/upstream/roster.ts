import t from 'tap'
import { Roster } from '../../../src/upstream/roster.js'

t.test('those who came and did not leave are there, whoever leaves first', t => {
  const roster = new Roster<{ name: string }>()
  const [a, b, c] = ['a', 'b', 'c'].map(name => ({ name })) as [{ name: string }, { name: string }, { name: string }]
  const names = (): string => roster.present.map(({ name }) => name).sort().join('')
  for (const member of [a, b, c]) roster.add(member)
  t.equal(names(), 'abc')
  roster.remove(a)
  t.equal(names(), 'bc')
  t.strictSame([a, b].map(member => roster.has(member)), [false, true])
  roster.remove(a)
  t.equal(names(), 'bc', 'leaving twice is leaving once')
  roster.remove(c)
  roster.remove(b)
  t.equal(names(), '')
  roster.add(a)
  t.equal(names(), 'a', 'it may come back')
  t.end()
})
