import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import t from 'tap'
import { codes, type CodeRow } from '../../src/protocol/codes.js'
import { nextAction } from '../../src/protocol/next-action.js'

const root = resolve(import.meta.dirname, '../..')
const page = await readFile(join(root, 'docs/reference/errors.md'), 'utf8')
const rows = new Map(page.split('\n').filter(line => line.startsWith('| `')).map(line => {
  const cells = line.slice(2, -2).split(' | ').map(cell => cell.trim())
  return [/`(\w+)`/.exec(cells[0]!)![1]!, cells]
}))
const table: Readonly<Record<string, CodeRow>> = codes

t.test('the page has a row for each code, and a code for each row', async t => {
  t.strictSame([...rows.keys()].sort(), Object.keys(table).sort())
})

/** Those that always say how long to wait. */
const says = (code: string, { category, retryable }: CodeRow): boolean => code === 'OVERLOADED' || (category === 'RATE_LIMIT' && retryable)

t.test('each row says what the code does', async t => {
  for (const [code, row] of Object.entries(table)) {
    const { category, status, retryable, credentials, reserved, logOnly } = row
    const action = nextAction({ code, status, retryable, details: { credentials, retry_after: says(code, row) ? '30s' : undefined } })
    const [name, when, ...said] = rows.get(code)!
    t.equal(name!.includes('(reserved)'), reserved === true, code)
    t.strictSame(said.slice(0, 4), [logOnly === true ? '' : String(status), `\`${category}\``, String(retryable), logOnly === true ? '' : `\`${action}\``], code)
    t.ok([when, said[4], said[5]].every(text => text !== undefined && text.length > 3), `${code} is explained`)
  }
})

t.test('each framework code in the OpenAPI documents has a row, and its own codes are declared ones', async t => {
  for (const name of ['weather', 'currency']) {
    const document = await readFile(join(root, `openapi/${name}.json`), 'utf8')
    const published = new Set([...document.matchAll(/"([A-Z][A-Z0-9]+_[A-Z0-9_]+)"/g)].map(match => match[1]!))
    const declared = new Set([...document.matchAll(/"code": ?"([A-Z0-9_]+)"/g)].map(match => match[1]!))
    const categories = new Set(Object.values(table).map(({ category }) => category as string))
    t.ok(published.size > 10)
    for (const code of published) t.ok(rows.has(code) || declared.has(code) || categories.has(code), `${name}: ${code}`)
  }
})
