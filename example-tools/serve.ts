import { existsSync, realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import closeWithGrace from 'close-with-grace'
import type { Environment } from './settings.js'

/** The part of a Fastify instance that starting and stopping need, whatever its type provider. */
export interface Server {
  listen (options: { port: number, host: string }): Promise<string>
  close (): unknown
  readonly listeningOrigin: string
  readonly log: { level: string }
}

/** Longer than any call of the examples may take: a running one is answered before the process ends. */
const stopWithinMs = 15_000

/** Listens, or closes the server and fails with one clear line; `variable` is what sets the port. */
export async function listen<S extends Server> (app: S, port: number, host: string, variable = 'PORT'): Promise<S> {
  const { level } = app.log
  // The place it listens on is printed once, by whoever starts it.
  app.log.level = 'warn'
  try {
    await app.listen({ port, host })
  } catch (error) {
    await app.close()
    throw new Error(listenProblem((error as NodeJS.ErrnoException).code, port, host, variable), { cause: error })
  }
  app.log.level = level
  return app
}

function listenProblem (code: string | undefined, port: number, host: string, variable: string): string {
  if (code === 'EADDRINUSE') return `Port ${port} on ${host} is already in use: set ${variable} to a free one.`
  if (code === 'EACCES') return `Port ${port} on ${host} is not ours to take: set ${variable} to one above 1023.`
  return `Cannot listen on port ${port} of ${host} (${code ?? 'unknown cause'}): set HOST to an address of this machine.`
}

/** Starts a server if its module is what Node was started with; imported, it does nothing. */
export async function runDirectly (moduleUrl: string, process: NodeJS.Process, name: string, start: (env: Environment) => Promise<Server>): Promise<void> {
  if (!isStarted(moduleUrl, process.argv[1])) return
  await runUntilStopped(process, async () => {
    const app = await start(process.env)
    return { said: `${name} on ${app.listeningOrigin}`, stop: () => app.close() }
  })
}

/**
 * Runs what `start` starts until SIGTERM or SIGINT: idle it ends at once, a running call is answered first.
 * What cannot start ends with its one line on stderr and exit code 1.
 */
export async function runUntilStopped (process: NodeJS.Process, start: () => Promise<{ said: string, stop: () => unknown }>): Promise<void> {
  try {
    const { said, stop } = await start()
    closeWithGrace({ delay: stopWithinMs }, async ({ err }) => {
      if (err !== undefined) process.stderr.write(`${err.stack}\n`)
      await stop()
    })
    process.stdout.write(`${said}\n`)
  } catch (error) {
    process.stderr.write(`${lineOf(error)}\n`)
    process.exitCode = 1
  }
}

/** A mistake as one line: the framework lists those of a service below each other. */
export function lineOf (error: unknown): string {
  return (error as Error).message.replaceAll('\n- ', ' ')
}

/** Through links, as Node itself resolves the module it is started with. */
function isStarted (moduleUrl: string, started = ''): boolean {
  return existsSync(started) && realpathSync(started) === fileURLToPath(moduleUrl)
}
