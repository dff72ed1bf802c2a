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
import { in2026, recordMcp, throughBothDoors, type RecordedRequest } from '../fixtures/mcp-both-ways.js'
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

const asked: RecordedRequest[] = []

t.test('every scenario that a tool server can pass does, and no other', async t => {
  const { app } = await build(t, { capabilities: suiteTools })
  const recorded = recordMcp(app)
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
  asked.push(...recorded)
})

/** How many of each kind are answered directly, at the least: no difference among none would say nothing. */
const PLAIN = { 'tools/list of 2025-03-26': 1, 'tools/list of 2025-11-25': 2, 'tools/call of 2025-03-26': 1, 'tools/call of 2025-11-25': 9, 'tools/list of 2026-07-28': 5, 'tools/call of 2026-07-28': 10 }

t.test('what the suite asks is answered directly as the SDK answers it, word for word', async t => {
  const { app } = await build(t, { capabilities: suiteTools })
  const direct: Record<string, number> = {}
  // The suite speaks the revisions of 2025 alone: what it calls is also called in the words of 2026.
  const inBothLines = [...asked, ...asked.filter(({ body }) => /^tools\//.test(methodOf(body))).map(in2026)]
  for (const request of inBothLines) {
    const answers = await throughBothDoors(app, request)
    if (answers === undefined) continue
    const kind = `${methodOf(request.body)} of ${request.headers['mcp-protocol-version']}`
    direct[kind] = (direct[kind] ?? 0) + 1
    t.strictSame(answers.direct, answers.bySdk, `${kind}: ${JSON.stringify(request.body).slice(0, 120)}`)
  }
  t.comment(direct)
  t.ok(asked.length >= 90, `the suite sent ${asked.length} requests`)
  for (const [kind, atLeast] of Object.entries(PLAIN)) t.ok(direct[kind]! >= atLeast, `${direct[kind]} × ${kind}`)
})

function methodOf (body: unknown): string {
  return String((body as { method?: unknown } | null | undefined)?.method)
}
