import { readEnvelope, type Envelope } from '../protocol/envelope.js'
import type { App, AppResponse } from './app.js'

export interface CallOptions {
  headers?: Readonly<Record<string, string>>
  /** Where the service is registered, if with a prefix: `/weather`. */
  prefix?: string
}

/** An envelope, and what came with it. */
export type CapabilityAnswer<T = unknown> = Envelope<T> & {
  status: number
  headers: AppResponse['headers']
}

/**
 * Calls a capability through the app's front door, without a socket; the input goes as it is, right or wrong.
 * The answer is the envelope with `status` and `headers` beside: `answer.success`, then `answer.data` or `answer.error`. Rejects where no envelope came.
 */
export async function callCapability<T = unknown> (app: App, name: string, input: unknown, options: CallOptions = {}): Promise<CapabilityAnswer<T>> {
  const { statusCode: status, headers, body } = await post(app, name, input, options)
  const envelope = parsed(body)
  if (readEnvelope(envelope).success === undefined) throw new Error(`Expected ${name} to answer with an envelope, got ${status} ${body.slice(0, 500)}`)
  return { ...envelope as Envelope<T>, status, headers }
}

/** The answer as it came. */
export async function post (app: App, name: string, input: unknown, { headers = {}, prefix = '' }: CallOptions): Promise<AppResponse> {
  const payload = JSON.stringify(input) ?? '{}'
  return await app.inject({ method: 'POST', url: `${prefix}/api/capabilities/${encodeURIComponent(name)}`, headers: { 'content-type': 'application/json', ...headers }, payload })
}

/** What a body says; `undefined` where it is no JSON. */
export function parsed (body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
