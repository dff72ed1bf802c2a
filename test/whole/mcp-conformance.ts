// The protocol's own conformance suite against a tool service: every server scenario that a tool server can pass.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { build } from '../fixtures/build.js'
import { CANNOT_PASS, SUITE, suiteTools } from '../fixtures/mcp-conformance.js'
import { listen } from '../fixtures/raw.js'

const run = promisify(execFile)

/** The suite and the Node it needs, outside the checkout: inside, that `node` would take over `npm run`. */
async function install (): Promise<{ home: string, node: string, suite: string }> {
  const home = process.env.MCP_CONFORMANCE_HOME ?? await mkdtemp(join(tmpdir(), 'mcp-conformance-'))
  const node = join(home, 'node_modules/node/bin/node')
  const suite = join(home, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
  if (!existsSync(node) || !existsSync(suite)) await run('npm', ['install', '--prefix', home, '--no-save', '--no-audit', '--no-fund', 'node@22', `@modelcontextprotocol/conformance@${SUITE}`])
  return { home, node, suite }
}

const { home, node, suite } = await install()
if (process.env.MCP_CONFORMANCE_HOME === undefined) t.teardown(() => rm(home, { recursive: true, force: true }))

t.test('every scenario that a tool server can pass does, and no other', async t => {
  const { app } = await build(t, { capabilities: suiteTools })
  const url = `http://127.0.0.1:${await listen(app)}/mcp`
  const cannot = join(t.testdir(), 'cannot-pass.yml')
  await writeFile(cannot, `server:\n${Object.keys(CANNOT_PASS).map(name => `  - ${name}\n`).join('')}`)

  const { stdout: list } = await run(node, [suite, 'list', '--server'])
  const scenarios = [...list.matchAll(/^ {2}- (\S+)/gm)].map(([, name]) => name)
  t.ok(scenarios.length >= 32, `${scenarios.length} scenarios`)
  t.strictSame(Object.keys(CANNOT_PASS).filter(name => !scenarios.includes(name)), [], 'the list names scenarios there are')

  const result = await run(node, [suite, 'server', '--url', url, '--suite', 'all', '--expected-failures', cannot, '--output-dir', t.testdirName], { maxBuffer: 64 * 1024 * 1024 })
    .then(({ stdout }) => ({ code: 0, stdout }), ({ code, stdout }) => ({ code, stdout }))
  t.equal(result.code, 0, 'no unexpected failure, and no unexpected success', { summary: result.stdout.slice(-4000) })
  t.comment(result.stdout.slice(-4000))
})
