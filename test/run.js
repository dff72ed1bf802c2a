// Runs the tests, compiled: every test is a process, and the loader that makes TypeScript of them one by one takes most of its time.
// Compiles a copy of the checkout in `.compiled/`, each file beside its source, and runs all tests there; of those of a source file complete
// coverage is asked. With files or options, as `tap run` takes them, tap runs them: `node test/run.js --disable-coverage test/pins/totality.ts`;
// after `--each` they are taken as `test/each.js` takes them, without coverage.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const compiled = join(root, '.compiled')
// Node finds `node_modules` in the folder above, as it is.
const notCopied = ['.compiled', '.git', '.tap', 'coverage', 'dist', 'node_modules']

/** Runs a script of a package with this Node in the copy; whether it went well. */
function run (script, ...args) {
  return spawnSync(process.execPath, [join(root, script), ...args], { cwd: compiled, stdio: 'inherit' }).status === 0
}

function copy () {
  rmSync(compiled, { recursive: true, force: true })
  mkdirSync(compiled)
  for (const name of readdirSync(root)) {
    if (!notCopied.includes(name)) cpSync(join(root, name), join(compiled, name), { recursive: true, filter: path => !path.endsWith('node_modules') })
  }
  // What `candor` is under the condition candor-source, and which files are tests.
  const manifest = join(compiled, 'package.json')
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(/(?<!\.d)\.ts"/g, '.js"'))
}

/** Types are left to `npm run types`. */
function compile () {
  return run('node_modules/typescript/bin/tsc', '--noEmit', 'false', '--declaration', 'false', '--noCheck')
}

const asCompiled = args => args.map(arg => arg.replace(/\.ts$/, '.js'))

/** The variable keeps tap from loading its compiler into tests that need none; the option of that name does nothing before Node 22. */
function tap (args) {
  // By itself tap leaves a core free.
  return run('node_modules/tap/dist/esm/run.mjs', 'run', `--jobs=${availableParallelism()}`, '--test-env=TAP_TYPE_STRIP_ONLY=1', ...asCompiled(args))
}

function test ([first, ...others]) {
  if (first === undefined) return run('test/each.js', '--cover')
  return first === '--each' ? run('test/each.js', ...asCompiled(others)) : tap([first, ...others])
}

copy()
if (!compile() || !test(process.argv.slice(2))) process.exitCode = 1
