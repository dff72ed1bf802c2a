// The package as its user has it: packed, installed into an empty project, the README's tool compiled, started and called.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { checkout } from '../fixtures/checkout.js'
import { freePort, listening } from '../fixtures/ports.js'
import { fence } from '../fixtures/markdown.js'
import { createProviders } from '../../example-tools/providers/server.js'

const run = promisify(execFile)
const versions = JSON.parse(await readFile(join(checkout, 'package.json'), 'utf8'))
const readme = await readFile(join(checkout, 'README.md'), 'utf8')

const project = await mkdtemp(join(tmpdir(), 'candor-pack-'))
t.teardown(() => rm(project, { recursive: true, force: true }))

const entries = `
import * as candor from 'candor'
import * as protocol from 'candor/protocol'
import * as agent from 'candor/agent'
import * as testing from 'candor/testing'
import { Type } from '@sinclair/typebox'

const shout = candor.defineCapability({
  name: 'shout', description: 'Says it louder.', effect: 'read',
  input: Type.Object({ text: Type.String(), times: Type.Optional(Type.Integer()) }),
  output: Type.Object({ text: Type.String() }),
  errors: { TOO_LOUD: { category: 'INPUT_ERROR', description: 'Too loud.' } },
  handler ({ text, times }, call) {
    const typed: string = text
    const optional: number | undefined = times
    // @ts-expect-error a code that is not declared
    if (optional === 3) throw call.error('TOO_QUIET')
    // @ts-expect-error no such field
    if (optional === 4) call.log.info(input.nothing)
    return { text: typed.toUpperCase() }
  }
})
console.log(JSON.stringify([shout.name, typeof protocol.readEnvelope, typeof agent.decide, typeof testing.drill, Object.keys(candor).length > 5]))
`

t.test('the package installs into an empty TypeScript project', async t => {
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', project], { cwd: checkout })
  const [{ filename, files }] = JSON.parse(stdout.slice(stdout.indexOf('[\n')))
  const paths: string[] = files.map(({ path }: { path: string }) => path)
  t.ok(paths.includes('dist/index.d.ts'))
  for (const [, page] of readme.matchAll(/\]\((docs\/[^)]+)\)/g)) t.ok(paths.includes(page!), page!)
  t.strictSame(paths.filter(path => !path.startsWith('dist/src/testing/') && /test|example|node_modules|\.ci/.test(path)), [], 'nothing but the library is in it')

  await writeFile(join(project, 'package.json'), JSON.stringify({ name: 'mine', private: true, type: 'module' }))
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: { target: 'ES2023', module: 'NodeNext', strict: true, skipLibCheck: true, types: ['node'], outDir: 'out' }, include: ['*.ts'] }))
  await writeFile(join(project, 'tool.ts'), fence(readme, 'ts', 0))
  await writeFile(join(project, 'entries.ts'), entries)
  const wanted = ['fastify', '@sinclair/typebox', 'typescript', '@types/node'].map(name => `${name}@${versions.peerDependencies[name] ?? versions.devDependencies[name]}`)
  await run('npm', ['install', '--no-audit', '--no-fund', `./${filename}`, ...wanted], { cwd: project })
})

t.test('the tool of the README compiles with inferred types, and every public entry imports', async t => {
  await run('npx', ['tsc'], { cwd: project }).catch(error => t.fail(error.stdout))
  const { stdout } = await run('node', ['out/entries.js'], { cwd: project })
  t.strictSame(JSON.parse(stdout), ['shout', 'function', 'function', 'function', true])
})

t.test('the tool of the README starts, and answers what the README says', async t => {
  const providers = createProviders()
  t.teardown(() => providers.close())
  const ratesUrl = await providers.listen({ port: 0, host: '127.0.0.1' })
  const port = await freePort()
  const tool = spawn('node', ['out/tool.js'], { cwd: project, env: { ...process.env, RATES_URL: ratesUrl, PORT: String(port) }, stdio: 'ignore' })
  t.teardown(async () => { tool.kill('SIGKILL'); await once(tool, 'close') })
  await listening(port)

  const ask = async (input: string) => await fetch(`http://localhost:${port}/api/capabilities/exchange_rate`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: input })
  const withoutId = (body: any) => { delete body.error?.details.request_id; return body }

  t.match(await (await ask('{"from":"EUR","to":"USD"}')).json(), { success: true, data: { rate: Number, date: String }, meta: { sources: ['rates'] } })
  t.match(await (await ask('{"from":"EUR","to":"XXX"}')).json(), { success: false, error: { code: 'CURRENCY_NOT_SUPPORTED', retryable: true } })

  const wrong = /-d '(\{.*\})'/.exec(fence(readme, 'sh', 1))![1]!
  t.strictSame(withoutId(await (await ask(wrong)).json()), withoutId(JSON.parse(fence(readme, 'json', 0))), 'the quoted failure is real')

  await fetch(`${ratesUrl}/faults`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ path: '/v1/latest', status: 503, headers: { 'retry-after': '120' } }) })
  const down = await ask('{"from":"EUR","to":"USD"}')
  const [statusLine, ...quoted] = fence(readme, 'http', 0).trim().split('\n')
  t.equal(`HTTP/1.1 ${down.status} ${down.statusText}`, statusLine)
  for (const line of quoted.slice(0, quoted.indexOf(''))) {
    const [name, value] = line.split(': ')
    t.equal(down.headers.get(name!), value, `the quoted header ${name} is real`)
  }
  t.strictSame(withoutId(await down.json()), withoutId(JSON.parse(quoted.at(-1)!)))
})
