import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import t from 'tap'

const root = resolve(import.meta.dirname, '../..')
// Not a literal: there are no types for this JavaScript.
const { documented } = await import(new URL('../../bench/document.js', import.meta.url).href) as { documented: (page: string) => string }
const page = await readFile(join(root, 'docs/reference/performance.md'), 'utf8')

t.test('the figures of the page are those that were measured, and its verdicts those of the promises', async t => {
  t.equal(documented(page), page)
  t.ok(page.includes('| success, against raw Fastify with schemas '))
})

t.test('a page without a place for a figure is an error', async t => {
  t.throws(() => documented('# Performance\n'), /no place for machine/)
})

t.test('an empty place is filled, and what stands behind it stays', async t => {
  const emptied = page.replace(/(<!-- nodes -->\n)[^]*?(<!-- end -->)/, '$1$2')
  t.not(emptied, page)
  t.equal(documented(emptied), page)
})

t.test('a figure that was changed by hand is put right', async t => {
  const changed = page.replace(/(\| success, against raw Fastify with schemas +\|) +[\d.]+/, '$1  9.99')
  t.not(changed, page)
  t.equal(documented(changed), page)
})
