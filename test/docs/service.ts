import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import t from 'tap'
import ts from 'typescript'
import { requestHeaders } from '../../src/protocol/headers.js'

const root = resolve(import.meta.dirname, '../..')
const page = readFileSync(resolve(root, 'docs/reference/service.md'), 'utf8')

/** What the tables of a section name in their first column. */
function rows (heading: string): string[] {
  const section = page.split(/^#+ /m).find(text => text.startsWith(heading))!
  return [...section.matchAll(/^\| `([\w-]+)`/gm)].map(([, name]) => name!)
}

/** The members that an interface declares. */
function membersOf (file: string, name: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(resolve(root, 'src', file), 'utf8'), ts.ScriptTarget.ES2023)
  const found = source.statements.find((statement): statement is ts.InterfaceDeclaration => ts.isInterfaceDeclaration(statement) && statement.name.text === name)!
  return found.members.map(member => member.name!.getText(source))
}

t.test('every option of a service is on the page, and no other', async t => {
  t.strictSame(rows('`createToolService').sort(), membersOf('call/service-mistakes.ts', 'ServiceDeclaration').sort())
})

t.test('so is every limit', async t => {
  t.strictSame(rows('`limits`').sort(), membersOf('policy/limit-options.ts', 'LimitOptions').sort())
  for (const bound of membersOf('policy/limit-options.ts', 'OverloadOptions')) t.ok(page.includes(`\`${bound}\``), bound)
})

t.test('and every request header that is read', async t => {
  t.strictSame(rows('Request headers').sort(), Object.values(requestHeaders).sort())
})
