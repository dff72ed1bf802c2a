import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { dirname, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { checkout } from '../fixtures/checkout.js'
import { composeServices, copiesOf, dockerStages, environmentOf, type Instruction } from '../fixtures/container.js'
import { runCommand, stopRun, type Run } from '../fixtures/run-module.js'

// What `docker compose up` does, without Docker: the Dockerfile's own steps in folders of their own, then the commands of compose.yaml.

const [buildStage = [], imageStage = []] = dockerStages()
const services = composeServices()
const home = mkdtempSync(resolve(tmpdir(), 'candor-image-'))
const folders = { build: resolve(home, 'build'), image: resolve(home, 'image') }
const servers = ['providers', 'weather', 'currency']

t.teardown(() => rmSync(home, { recursive: true, force: true }))
t.setTimeout(300_000)

/** What a process of the container would have, and nothing of how this test is run. */
const cleanEnv = () => Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(TAP|NODE_|npm_|_TAP)/.test(name)))

function copyInto (folder: string, stage: readonly Instruction[]): void {
  for (const { from, to } of copiesOf(stage)) {
    for (const name of from) {
      const target = to.endsWith('/') ? resolve(folder, to, name) : resolve(folder, to)
      mkdirSync(dirname(target), { recursive: true })
      cpSync(resolve(checkout, name), target, { recursive: true })
    }
  }
}

const shell = (folder: string, command: string) => execFileSync('sh', ['-c', command], { cwd: folder, env: cleanEnv(), encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
const runsOf = (stage: readonly Instruction[]) => stage.filter(({ word }) => word === 'RUN').map(({ rest }) => rest)

t.test('the build stage builds from what it copies', async t => {
  mkdirSync(folders.build)
  copyInto(folders.build, buildStage)
  const [install, ...rest] = runsOf(buildStage)
  t.equal(install, 'npm ci --ignore-scripts')
  // The checkout has just been installed from the same lock file.
  symlinkSync(resolve(checkout, 'node_modules'), resolve(folders.build, 'node_modules'))
  for (const command of rest) shell(folders.build, command)
  t.ok(existsSync(resolve(folders.build, 'dist/index.js')))
})

t.test('the image stage installs production dependencies alone', async t => {
  mkdirSync(folders.image)
  copyInto(folders.image, imageStage)
  // The cache of this machine is not the image's to clean.
  for (const command of runsOf(imageStage)) shell(folders.image, command.replace(' && npm cache clean --force', ''))
  for (const { rest } of imageStage.filter(({ word, rest }) => word === 'COPY' && rest.startsWith('--from=build '))) {
    const [, from = '', to = ''] = rest.split(' ')
    cpSync(resolve(folders.build, from.replace('/app/', '')), resolve(folders.image, to), { recursive: true })
  }
  for (const name of ['tap', 'typescript', 'eslint', 'axios', 'playwright-core']) t.notOk(existsSync(resolve(folders.image, 'node_modules', name)), name)
  t.ok(existsSync(resolve(folders.image, 'dist/example-tools/weather/server.js')))
})

t.test('the stack starts in order, the demo plays on it, and each server stops within a second', async t => {
  const ports = Object.fromEntries(await Promise.all(servers.map(async name => [name, await freePort()])))
  const runs = new Map<string, Run>()
  for (const name of servers) {
    const run = runCommand(t, commandOf(name), { cwd: folders.image, env: envOf(name, ports) })
    runs.set(name, run)
    t.equal(await healthy(name, ports), 0, `${name} is healthy`)
    t.match(run.said.stdout, new RegExp(`^.+ on http://.+:${ports[name]}\n`), `${name} says where it is`)
  }
  const demo = runCommand(t, commandOf('demo'), { cwd: folders.image, env: envOf('demo', ports) })
  t.equal(await demo.ended, 0, `the demo exits 0 ${demo.said.stderr}`)
  t.match(demo.said.stdout, /All 10 scenes came out as the protocol says\.\n$/)
  for (const name of servers.toReversed()) {
    const { code, tookMs } = await stopRun(runs.get(name)!)
    t.equal(code, 0, `${name} stops`)
    t.ok(tookMs < 1_000, `${name} took ${Math.round(tookMs)} ms`)
    t.equal(runs.get(name)!.said.stderr, '')
  }
  t.equal(await healthy('weather', ports, 1), 1, 'the health check sees that it is gone')
})

t.test('the image starts by itself', async t => {
  const port = String(await freePort())
  const command = JSON.parse(imageStage.find(({ word }) => word === 'CMD')!.rest) as string[]
  const run = runCommand(t, withNode(command), { cwd: folders.image, env: { ...cleanEnv(), ...environmentOf(imageStage), PORT: port } })
  t.match(await run.started(), /^Weather tool on http/)
  t.equal((await stopRun(run)).code, 0)
})

/** This Node stands for the image's. */
const withNode = ([node, ...args]: string[]) => [node === 'node' ? process.execPath : node!, ...args]
const commandOf = (name: string) => withNode(services[name]!.command)

/** The environment of a service: the image's, then its own, with free ports of this machine for the names of the stack. */
function envOf (name: string, ports: Record<string, number>): NodeJS.ProcessEnv {
  const own = Object.entries(services[name]!.environment ?? {}).map(([variable, value]) => {
    if (variable === 'PORT') return [variable, String(ports[name])]
    const { hostname } = URL.canParse(value) ? new URL(value) : { hostname: '' }
    return [variable, hostname in ports ? `http://127.0.0.1:${ports[hostname]}` : value]
  })
  return { ...cleanEnv(), ...environmentOf(imageStage), ...Object.fromEntries(own) }
}

/** The exit code of the service's own health check, asked until it is 0 or was asked often enough. */
async function healthy (name: string, ports: Record<string, number>, times = 40): Promise<number | null> {
  const check = services[name]!.healthcheck.test!.slice(1)
  for (let n = 1; ; n++) {
    const code = await runCommand(t, withNode(check), { cwd: folders.image, env: envOf(name, ports) }).ended
    if (code === 0 || n >= times) return code
    await sleep(250)
  }
}

async function freePort (): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
