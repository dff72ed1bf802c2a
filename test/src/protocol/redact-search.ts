import t from 'tap'
import { createSearch, Spans } from '../../../src/protocol/redact-search.js'

function clean (forms: readonly string[], text: string): string {
  const spans = new Spans()
  createSearch(forms.map(form => ({ text: form, reach: form.length })))(text, (from, to) => spans.add(from, to))
  return spans.replaceIn(text, '*')
}

t.test('few and many, short and long forms are found alike', async t => {
  const long = 'x'.repeat(300)
  const many = Array.from({ length: 100 }, (_, index) => `form-${index}.`)
  t.equal(clean(['abcd', 'cdef'], 'xabcdefx abcd'), 'x*x *')
  t.equal(clean([long], `a ${long} b`), 'a * b')
  t.equal(clean([long], 'a b'), 'a b')
  t.equal(clean(many, 'a form-7. form-99.form-x'), 'a * *form-x')
})

t.test('what overlaps is one, whatever the order it was told in', async t => {
  const replaced = (...spans: Array<[number, number]>): string => {
    const all = new Spans()
    for (const [from, to] of spans) all.add(from, to)
    return all.replaceIn('0123456789', '*')
  }
  t.equal(replaced(), '0123456789')
  t.equal(replaced([2, 4], [4, 6]), '01**6789')
  t.equal(replaced([2, 4], [3, 6], [1, 5]), '0*6789')
  t.equal(replaced([6, 8], [0, 2], [1, 7]), '*89')
  t.equal(replaced([0, 8], [9, 10], [2, 3]), '*8*')
})
