import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import t from 'tap'
import { fence } from '../fixtures/markdown.js'
import { categories, defaultRetryable } from '../../src/protocol/category.js'

const root = resolve(import.meta.dirname, '../..')
const readme = await readFile(join(root, 'README.md'), 'utf8')

t.test('the tool of the README is the file that is compiled and run', async t => {
  t.equal(fence(readme, 'ts', 0), await readFile(join(root, 'docs/guide/first-tool.ts'), 'utf8'))
})

t.test('the category table of the README is the one of the code', async t => {
  for (const [category, { status, alsoStatuses, retryable }] of Object.entries(categories)) {
    const row = readme.split('\n').find(line => line.startsWith(`| \`${category}\``))?.split('|').map(cell => cell.trim())
    t.strictSame([row?.[2], row?.[3]], [String(status), alsoStatuses.join(', ')], category)
    t.ok(row?.[4]?.startsWith(String(retryable)), category)
  }
  t.equal(defaultRetryable('SERVICE_ERROR', 500), false)
})
