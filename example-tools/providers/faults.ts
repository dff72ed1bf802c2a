import { validateHeaderName, validateHeaderValue } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from '@sinclair/typebox'
import { Type } from '@sinclair/typebox'

/** The header that says so on every response: nothing here is the real provider's. */
export const simulatedHeader = 'x-candor-simulated'

const modes = ['status', 'delay', 'hang', 'reset-before', 'reset-after', 'cut', 'html', 'broken-json'] as const
const answering = new Set<string>(['status', 'cut', 'html', 'broken-json'])
const controlPaths = new Set(['/faults', '/hits'])
const resetAfterMs = 20

const FaultSchema = Type.Object({
  path: Type.String({ pattern: '^/[^?#\\s]*$', maxLength: 200 }),
  times: Type.Integer({ minimum: 1, maximum: 1000, default: 1 }),
  mode: Type.Optional(Type.Unsafe<typeof modes[number]>({ type: 'string', enum: modes })),
  status: Type.Optional(Type.Integer({ minimum: 200, maximum: 599 })),
  headers: Type.Optional(Type.Record(Type.String(), Type.String())),
  body: Type.Optional(Type.Unknown()),
  delayMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 }))
}, { additionalProperties: false })

/** A fault that waits for the next `times` requests of `path`. */
export type Fault = Static<typeof FaultSchema> & { mode: typeof modes[number] }

/**
 * Puts failing on demand on the app: `POST`, `GET` and `DELETE /faults`, `GET` and `DELETE /hits`.
 *
 * Register it before any route, so that its hook comes first. Needs real sockets: `inject` has none to reset.
 */
export function faults (app: FastifyInstance): void {
  const pending: Fault[] = []
  const hits = new Map<string, number>()

  app.addHook('onRequest', async (request, reply) => {
    const path = request.url.split('?', 1)[0]!
    if (controlPaths.has(path)) return
    hits.set(path, (hits.get(path) ?? 0) + 1)
    const fault = pending.find(candidate => candidate.path === path)
    if (fault === undefined) return
    fault.times--
    if (fault.times === 0) pending.splice(pending.indexOf(fault), 1)
    return commit(fault, request, reply)
  })

  app.post<{ Body: Static<typeof FaultSchema> }>('/faults', { schema: { body: FaultSchema } }, async (request, reply) => {
    const fault: Fault = { ...request.body, mode: request.body.mode ?? (onlyDelays(request.body) ? 'delay' : 'status') }
    const problem = problemOf(fault)
    if (problem !== undefined) return reply.code(400).send({ error: true, reason: problem })
    pending.push(fault)
    return reply.code(201).send(fault)
  })
  app.get('/faults', async () => pending)
  app.delete('/faults', async () => ({ cleared: pending.splice(0).length }))
  app.get('/hits', async () => Object.fromEntries(hits))
  app.delete('/hits', async () => {
    hits.clear()
    return {}
  })
}

function onlyDelays ({ delayMs, status, headers, body }: Static<typeof FaultSchema>): boolean {
  return delayMs !== undefined && status === undefined && headers === undefined && body === undefined
}

function problemOf (fault: Fault): string | undefined {
  if (controlPaths.has(fault.path)) return `${fault.path} itself never fails.`
  if (fault.mode === 'delay' && fault.delayMs === undefined) return "Mode 'delay' needs delayMs."
  for (const field of ['status', 'headers', 'body'] as const) {
    if (fault[field] !== undefined && !answering.has(fault.mode)) return `Mode '${fault.mode}' sends no answer of its own, so it takes no ${field}.`
  }
  if (fault.mode === 'html' && fault.body !== undefined && typeof fault.body !== 'string') return "Mode 'html' takes its body as a string."
  if (fault.mode === 'cut' && fault.body === '') return "Mode 'cut' needs a body that can be cut."
  for (const [name, value] of Object.entries(fault.headers ?? {})) {
    try {
      validateHeaderName(name)
      validateHeaderValue(name, value)
    } catch {
      return `headers: '${name}' cannot be sent: its name or its value has characters that HTTP does not allow.`
    }
  }
}

async function commit (fault: Fault, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const socket = request.raw.socket
  if (fault.mode === 'reset-before') {
    reply.hijack()
    if (fault.delayMs !== undefined) await wait(fault.delayMs)
    socket.resetAndDestroy()
    return
  }
  if (fault.mode === 'reset-after') {
    reply.hijack()
    // Reading to the end is what makes it "after": the request may have been carried out.
    await new Promise(resolve => request.raw.once('end', resolve).once('close', resolve).resume())
    await wait(fault.delayMs ?? resetAfterMs)
    socket.resetAndDestroy()
    return
  }
  if (fault.delayMs !== undefined) await wait(fault.delayMs)
  if (fault.mode === 'delay') return
  if (fault.mode === 'hang') {
    reply.hijack()
    return
  }
  const { type, text } = answerOf(fault)
  if (fault.mode === 'cut') {
    reply.hijack()
    const whole = Buffer.from(text)
    const headers = { [simulatedHeader]: 'true', 'content-type': type, ...fault.headers, 'content-length': String(whole.length) }
    // One by one, so that a name in capitals replaces ours: writeHead would send both.
    for (const [name, value] of Object.entries(headers)) reply.raw.setHeader(name, value)
    reply.raw.writeHead(fault.status ?? 200)
    reply.raw.write(whole.subarray(0, whole.length / 2), () => socket.destroy())
    return
  }
  const status = fault.status ?? (fault.mode === 'status' ? 503 : 200)
  return reply.code(status).type(type).headers(fault.headers ?? {}).send(text)
}

function answerOf ({ mode, body }: Fault): { type: string, text: string } {
  const json = 'application/json; charset=utf-8'
  if (mode === 'html') {
    return { type: 'text/html; charset=utf-8', text: typeof body === 'string' ? body : '<!doctype html><title>502 Bad Gateway</title><h1>Bad Gateway</h1>\n' }
  }
  // Both providers' error fields at once: the fault may be for a path of either.
  const text = typeof body === 'string' ? body : JSON.stringify(body === undefined ? { error: true, reason: 'Simulated fault.', message: 'simulated fault' } : body)
  // A text handed in is taken to be as broken as wanted.
  return { type: json, text: mode === 'broken-json' && typeof body !== 'string' ? text.slice(0, -1) : text }
}

// Unreferenced: a fault that still waits keeps no process alive.
function wait (delayMs: number): Promise<void> {
  return sleep(delayMs, undefined, { ref: false })
}
