// A measured server: a process of its own, on a core of its own where the machine has one to give.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { pinned } from './machine.js'

const folder = resolve(import.meta.dirname, '../servers')

/** Starts a server. `node` is the program that runs it, `core` the core it stays on; without one it runs on any. */
export async function start (file, args = [], { node = process.execPath, core } = {}) {
  const startedAt = performance.now()
  const [command, ...rest] = pinned(core, [node, '--expose-gc', resolve(folder, file), ...args])
  // Where nobody reads, its log is written all the same, as pino writes it.
  const child = spawn(command, rest, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], env: { ...process.env, NODE_ENV: 'production' } })
  const said = await Promise.race([once(child, 'message'), once(child, 'exit').then(([code]) => { throw new Error(`${file} ${args.join(' ')} ended with ${code} before it listened.`) })])
  const ask = async question => {
    child.send(question)
    return (await once(child, 'message'))[0]
  }
  const { port, ...info } = said[0]
  return {
    url: `http://127.0.0.1:${port}`,
    info,
    startedAt,
    /** What it used until now: `cpuMicros`, `heapUsed`, `rss`. */
    usage: async () => await ask('usage'),
    /** The same, after a collection. */
    collected: async () => await ask('collect'),
    async stop () {
      child.send('stop')
      await once(child, 'exit')
    }
  }
}
