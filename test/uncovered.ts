import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

// Not a literal: there are no types for this JavaScript.
const { uncoveredLines } = await import(new URL('./coverage.js', import.meta.url).href)

const SOURCE = `export function which (number) {
  if (number > 1) {
    return 'many'
  }
  return number === 1 ? 'one' : 'none'
}
export const nothing = () => {}
export const never = () => 1
`

t.test('a test is told the lines of its source file that nobody ran', async t => {
  const folder = t.testdir({ 'a.js': SOURCE, 'a.js.map': JSON.stringify({ version: 3, sources: ['a.ts'], names: [], mappings: '' }), 'package.json': '{"type":"module"}' })
  const file = join(folder, 'a.js')
  const counts = join(folder, 'counts')
  mkdirSync(counts)
  const call = (code: string): void => {
    const { status } = spawnSync(process.execPath, ['--input-type=module', '--eval', `import { never, which } from ${JSON.stringify(file)}\n${code}`], { env: { ...process.env, NODE_V8_COVERAGE: counts } })
    t.equal(status, 0)
  }
  t.strictSame(uncoveredLines(counts, file), [1, 2, 3, 4, 5, 6, 7, 8], 'none of it is loaded')
  call('which(1)')
  t.strictSame(uncoveredLines(counts, file), [2, 3, 4, 5, 8])
  call('which(2)')
  t.strictSame(uncoveredLines(counts, file), [5, 8], 'what several processes ran counts together')
  writeFileSync(join(counts, 'cut.json'), '{"result":[')
  call('which(0); never()')
  t.strictSame(uncoveredLines(counts, file), [])
})
