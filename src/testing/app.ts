import { servicesAt, type Service } from '../call/service.js'
import type { Capability } from '../capability/define.js'
import { nearest } from '../schema/nearest.js'
import type { Upstream } from '../upstream/client.js'

/** What is needed of a Fastify app with a tool service on it; what `createToolService` returns is one. */
export interface App {
  readonly server: object
  inject (request: { method: 'POST', url: string, headers: Record<string, string>, payload: string }): Promise<AppResponse>
}

export interface AppResponse {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>
  readonly body: string
}

/** The services of an app. Throws a `TypeError` where there is none yet. */
export function servicesOf (app: App): readonly Service[] {
  const services = servicesAt(app.server)
  if (services.length === 0) throw new TypeError('Expected an app with a tool service on it. Registered on an app of your own, it is there after `await app.ready()`.')
  return services
}

/** The upstreams with a label; an app may hold several services, and each its own. Throws a `TypeError` for a label that none has. */
export function upstreamsOf (services: readonly Service[], label: string): readonly Upstream[] {
  const found = services.flatMap(({ upstreams }) => upstreams.get(label) ?? [])
  return found.length > 0 ? found : unknown('an upstream', label, services.flatMap(({ upstreams }) => [...upstreams.keys()]))
}

/** A capability by its name. Throws a `TypeError` for one that no service has. */
export function capabilityOf (services: readonly Service[], name: string): Capability {
  const found = services.map(({ capabilities }) => capabilities.get(name)).find(one => one !== undefined)
  return found?.capability ?? unknown('a capability', name, services.flatMap(({ capabilities }) => [...capabilities.keys()]))
}

/** Throws the `TypeError` of a name that is none of those known. */
export function unknown (what: string, name: string, known: readonly string[]): never {
  const near = nearest(name, known)
  throw new TypeError(`Expected ${what} that there is (${known.join(', ') || 'there is none'}), got '${name}'.${near === undefined ? '' : ` Did you mean '${near}'?`}`)
}
