// What is measured on: the machine, the versions, and how a process is kept on one core.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism, cpus, release, totalmem } from 'node:os'
import { resolve } from 'node:path'

const has = (command, ...args) => spawnSync(command, args, { stdio: 'ignore' }).error === undefined

const canPin = availableParallelism() > 1 && has('taskset', '--version')

/** The generator of load: wrk takes less of its core, so a fast server is not held up by it. */
export const loader = has('wrk', '--version') ? 'wrk' : 'autocannon'

/** A command that stays on one core, where one is named and that can be said. */
export function pinned (core, command) {
  return canPin && core !== undefined ? ['taskset', '-c', String(core), ...command] : command
}

/** The version of a package, as it is installed here or in the folder above. */
function versionOf (name) {
  for (const folder of ['..', '../..']) {
    try {
      return JSON.parse(readFileSync(resolve(import.meta.dirname, folder, 'node_modules', name, 'package.json'), 'utf8')).version
    } catch {}
  }
  return 'unknown'
}

/** Everything that a reader needs to know beside the figures. */
export function describeMachine (node) {
  const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim()
  const names = ['fastify', 'undici', '@fastify/helmet', '@fastify/rate-limit', '@fastify/swagger', 'fastify-metrics', 'hono', '@hono/zod-openapi', 'express', 'zod', '@modelcontextprotocol/sdk', '@modelcontextprotocol/server', 'fastmcp']
  return {
    date: new Date().toISOString(),
    node: version,
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    pinned: canPin,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    kernel: release().split('.', 2).join('.'),
    loader,
    versions: Object.fromEntries(names.map(name => [name, versionOf(name)]))
  }
}
