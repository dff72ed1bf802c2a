import t from 'tap'
import { appendFileSync, readFileSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { runModule } from '../fixtures/run-module.js'

const file = 'bin/openapi.ts'

// A process that compiles TypeScript is slow to start: these start side by side.
t.jobs = 2
t.setTimeout(180_000)

t.test('it writes what the services serve, and finds a file that differs', { buffered: true }, async t => {
  const cwd = t.testdir({})
  const run = async (...args: string[]) => {
    const { ended, said } = runModule(t, file, { args, cwd })
    return { code: await ended, ...said }
  }
  t.strictSame(await run(), { code: 0, stdout: 'Wrote openapi/weather.json and openapi/currency.json.\n', stderr: '' })
  for (const [name, title] of [['weather', 'weather-tool'], ['currency', 'currency-tool']]) {
    const text = readFileSync(resolve(cwd, `openapi/${name}.json`), 'utf8')
    t.match(JSON.parse(text), { openapi: /^3\.1\./, info: { title } })
    t.equal(text, `${JSON.stringify(JSON.parse(text), null, 2)}\n`, 'laid out for a diff')
  }
  t.strictSame(await run('--check'), { code: 0, stdout: '', stderr: '' })
  rmSync(resolve(cwd, 'openapi/weather.json'))
  appendFileSync(resolve(cwd, 'openapi/currency.json'), '\n')
  t.strictSame(await run('--check'), { code: 1, stdout: '', stderr: 'Not what the services serve: openapi/weather.json, openapi/currency.json. Run `npm run openapi` and commit.\n' })
})

t.test('an argument it does not know is one clear line', { buffered: true }, async t => {
  const run = runModule(t, file, { args: ['--chek'], cwd: t.testdir({}) })
  t.equal(await run.ended, 1)
  t.equal(run.said.stderr, "Unknown argument '--chek'. Usage: npm run openapi [-- --check]\n")
})
