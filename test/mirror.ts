import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import t from 'tap'
import ts from 'typescript'

// The coverage map demands nothing of a file that no test maps to: these tests find such files.

const root = resolve(import.meta.dirname, '..')
const covered = ['src', 'plugins']
const mirrored = [...covered, 'example-tools']
// Not a literal: there are no types for this JavaScript.
const { default: coverageMap } = await import(new URL('./fixtures/coverage-map.js', import.meta.url).href)

/** TypeScript files below a folder, as paths from the root. */
function filesIn (folder: string): string[] {
  if (!existsSync(resolve(root, folder))) return []
  const names = readdirSync(resolve(root, folder), { recursive: true, encoding: 'utf8' })
  return names.filter(name => name.endsWith('.ts')).map(name => `${folder}/${name.replaceAll('\\', '/')}`).sort()
}

/** What is left of a file once its types are gone: its statements. */
function statementsOf (text: string): ts.Statement[] {
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023, verbatimModuleSyntax: true, removeComments: true }
  })
  return [...ts.createSourceFile('file.js', outputText, ts.ScriptTarget.ES2023).statements]
}

/** `export … from …`, or the `export {}` that stands for a file of types. */
function isReExport (statement: ts.Statement): boolean {
  if (!ts.isExportDeclaration(statement)) return false
  const { exportClause, moduleSpecifier } = statement
  return moduleSpecifier !== undefined || (exportClause !== undefined && ts.isNamedExports(exportClause) && exportClause.elements.length === 0)
}

/** Does nothing in this file run: types and re-exports alone? */
function holdsNoCode (text: string): boolean {
  return statementsOf(text).every(isReExport)
}

t.test('a file without code of its own is told from one with code', async t => {
  t.ok(holdsNoCode("import type { A } from './a.js'\nexport interface B { a: A }\nexport type C = B\ndeclare module 'x' { interface Y { z: 1 } }"))
  t.ok(holdsNoCode("export { a, type B } from './a.js'\nexport * from './b.js'"))
  t.notOk(holdsNoCode('export const a = 1'))
  t.notOk(holdsNoCode("import './a.js'"))
  t.notOk(holdsNoCode('const a = 1\nexport { a }'))
})

t.test('every file with code has a test at the same path', async t => {
  const sources = covered.flatMap(filesIn).filter(file => !holdsNoCode(readFileSync(resolve(root, file), 'utf8')))
  t.ok(sources.length > 10)
  t.strictSame(sources.filter(file => !existsSync(resolve(root, 'test', file))), [])
})

t.test('every mirrored test has its source', async t => {
  const tests = mirrored.flatMap(folder => filesIn(`test/${folder}`))
  t.strictSame(tests.filter(file => !existsSync(resolve(root, file.slice('test/'.length)))), [])
})

t.test('a test covers its own source in src/ and plugins/, and nothing else is asked of it', async t => {
  t.equal(coverageMap('test/src/protocol/fit.ts'), 'src/protocol/fit.ts')
  t.equal(coverageMap('test\\src\\protocol\\fit.ts'), 'src/protocol/fit.ts')
  t.equal(coverageMap('test/plugins/health.ts'), 'plugins/health.ts')
  for (const file of ['test/pins/protocol.ts', 'test/whole/pack.ts', 'test/example-tools/weather/tool.ts', 'test/bin/start.ts', 'test/house.ts', 'test/mirror.ts']) {
    t.equal(coverageMap(file), null, file)
  }
})
