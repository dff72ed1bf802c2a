import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import t from 'tap'
import { failurePage } from '../../bin/failure-page.js'
import { classifyUpstreamError, classifyUpstreamResponse } from '../../src/upstream/classify.js'
import { UpstreamOutcome } from '../../src/upstream/outcome.js'
import { runModule } from '../fixtures/run-module.js'

const root = resolve(import.meta.dirname, '../..')
const page = await readFile(join(root, 'docs/reference/upstream-failures.md'), 'utf8')

/** The rows of the table under a heading, each as its cells. */
function rowsUnder (heading: string): string[][] {
  const [, section = ''] = page.split(`\n## ${heading}\n`)
  return section.split('\n## ')[0]!.split('\n').filter(line => line.startsWith('| ')).slice(2).map(line => line.slice(2, -2).split(' | ').map(cell => cell.trim()))
}

t.test('the page is what the tables of the classifier say', async t => {
  t.equal(page, failurePage(), 'if not: npm run failures')
})

t.test('each outcome has a row, and each row says what an agent does', async t => {
  const rows = rowsUnder('What a caller is told')
  t.equal(rows.length, Object.keys(UpstreamOutcome).length)
  for (const cells of [...rows, ...rowsUnder('Writes')]) t.ok(cells.every((cell, index) => cell.length > 2 || cells[1] === '`CALLER_GONE`' || index === 2), cells.join(' | '))
})

t.test('the page agrees with the classifier, row by row', async t => {
  const statuses = rowsUnder('Statuses').filter(([first]) => /^\d/.test(first!))
  t.ok(statuses.length > 10)
  for (const [text, code, retryable] of statuses) {
    for (const status of text!.match(/\d{3}/g)!.map(Number)) {
      const error = classifyUpstreamResponse({ status, headers: {} })
      t.strictSame([`\`${error.code}\``, String(error.retryable)], [code, retryable], `${status}`)
    }
  }
  for (const [words, code, proven] of rowsUnder('Codes')) {
    for (const word of words!.match(/(?<=`)[A-Z][A-Z0-9_]+(?=`)/g) ?? []) {
      const { code: told, details } = classifyUpstreamError({ code: word }, { effect: 'write' })
      t.strictSame([`\`${told}\``, details.outcome], [code, proven === 'proven' ? 'not_applied' : 'unknown'], word)
    }
  }
})

t.test('the generator compares, and takes no other argument', async t => {
  t.equal(await runModule(t, 'bin/upstream-failures.ts', { args: ['--check'] }).ended, 0)
  const wrong = runModule(t, 'bin/upstream-failures.ts', { args: ['--chekc'] })
  t.equal(await wrong.ended, 1)
  t.match(wrong.said.stderr, /^Usage/)
})
