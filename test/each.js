// Runs tests of the compiled copy that `test/run.js` makes, each a process with nothing around it: `node test/each.js [files]`, all of them
// without. What tap's runner adds, its loaders and a report, takes as long as the tests. With `--cover`, the test of a source file has to run
// all of it. `--jobs` is how many run at a time, `TAP_TIMEOUT` how many seconds a test may take.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { uncoveredLines } from './coverage.js'
import coverageMap from './fixtures/coverage-map.js'

const compiled = resolve(import.meta.dirname, '../.compiled')
const options = () => JSON.parse(readFileSync(join(compiled, 'package.json'), 'utf8')).tap

/** The files that are tests, as paths in the copy. */
export function testFiles () {
  const excluded = options().exclude.map(pattern => pattern.replace(/\/\*\*$/, '/'))
  return readdirSync(join(compiled, 'test'), { recursive: true })
    .map(name => `test/${name.replaceAll('\\', '/')}`)
    .filter(file => file.endsWith('.js') && !excluded.some(one => file === one || (one.endsWith('/') && file.startsWith(one))))
    .sort()
}

/** An assertion; the line that sums up a test has its time. */
const ASSERTION = /^ *(?:not )?ok \d+(?!.*# time=)/

/** Runs one file: its output, how it ended, and how many assertions held and did not. */
async function run (file, { timeout, 'node-arg': flags }, env = process.env) {
  // Twice what a test is allowed: nothing but one that hangs takes as long.
  const child = spawn(process.execPath, ['--enable-source-maps', ...flags, file], { cwd: compiled, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: (process.env.TAP_TIMEOUT ?? timeout) * 2_000, killSignal: 'SIGKILL' })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', data => { text += data })
  const [code, signal] = await new Promise(resolve => child.on('close', (...how) => resolve(how)))
  const lines = text.split('\n').filter(line => ASSERTION.test(line))
  const failed = lines.filter(line => line.trimStart().startsWith('not')).length
  const pass = lines.length - failed
  // One may end badly without an assertion that says so, and one without assertions has shown nothing.
  const isGood = code === 0 && failed === 0 && pass > 0
  return { text, end: signal ?? code, pass, fail: isGood ? 0 : Math.max(failed, 1) }
}

/** The same, and what of its source file it did not run. */
async function cover (file, options) {
  const source = coverageMap(file)
  if (source === null) return await run(file, options)
  const folder = mkdtempSync(join(tmpdir(), 'coverage-'))
  try {
    const ended = await run(file, options, { ...process.env, NODE_V8_COVERAGE: folder })
    const lines = ended.fail > 0 ? [] : uncoveredLines(folder, join(compiled, source))
    return lines.length === 0 ? ended : { ...ended, text: `Not run of ${source.replace(/\.js$/, '.ts')}: line ${lines.join(', ')}.`, fail: 1 }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Runs files, so many at a time, and says of each whether it is good. */
async function runAll (files, jobs, runOne) {
  const total = { pass: 0, fail: 0 }
  const waiting = [...files]
  const runInTurn = async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      const { text, end, pass, fail } = await runOne(file, options())
      total.pass += pass
      total.fail += fail
      console.log(fail === 0 ? `ok - ${file}` : `${text}\nnot ok - ${file} ended with ${end}`)
    }
  }
  await Promise.all(Array.from({ length: jobs }, runInTurn))
  return total
}

if (process.argv[1] === import.meta.filename) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      cover: { type: 'boolean', default: false },
      // One more than there are cores: many wait for a clock.
      jobs: { type: 'string', default: String(availableParallelism() + 1) }
    }
  })
  const { pass, fail } = await runAll(positionals.length > 0 ? positionals : testFiles(), Number(values.jobs), values.cover ? cover : run)
  console.log(`# { total: ${pass + fail}, pass: ${pass}, fail: ${fail} }`)
  if (fail > 0 || pass === 0) process.exitCode = 1
}
