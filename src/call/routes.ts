import findMyWay, { type HTTPMethod } from 'find-my-way'
import type { Principal } from '../capability/call.js'
import { mayCall } from '../policy/principal.js'
import { oneLine } from '../protocol/text.js'
import type { ToolError } from '../protocol/tool-error.js'
import { nearestFew } from '../schema/nearest.js'
import { fromRow } from './framework-error.js'

type Router = ReturnType<typeof findMyWay>

/** How the server finds a route by its address. */
export interface RouterRules {
  caseSensitive?: boolean
  ignoreTrailingSlash?: boolean
  ignoreDuplicateSlashes?: boolean
  maxParamLength?: number
  allowUnsafeRegex?: boolean
  useSemicolonDelimiter?: boolean
}

/** The routes of a service, asked only where none was found: which methods a path has, and which paths there are. */
export class RouteIndex {
  readonly #routes = new Map<string, { methods: Set<string>, scopes: readonly string[] }>()
  readonly #rules: RouterRules
  #router: Router | undefined

  /** The rules of the server whose routes they are. */
  constructor ({ caseSensitive, ignoreTrailingSlash, ignoreDuplicateSlashes, maxParamLength, allowUnsafeRegex, useSemicolonDelimiter }: RouterRules = {}) {
    this.#rules = { caseSensitive, ignoreTrailingSlash, ignoreDuplicateSlashes, maxParamLength, allowUnsafeRegex, useSemicolonDelimiter }
  }

  /** `scopes` is what a caller must be allowed to, to hear of the path. */
  add (methods: readonly string[], path: string, scopes: readonly string[] = []): void {
    // A route for everything, as a CORS plugin adds one, says nothing about any one path.
    if (path === '*' || path === '/*') return
    const known = this.#routes.get(path) ?? { methods: new Set(), scopes }
    for (const method of methods) known.methods.add(method)
    this.#routes.set(path, known)
    this.#router = undefined
  }

  /** The paths that a caller may hear of. */
  pathsFor (principal: Principal | undefined): string[] {
    return [...this.#routes].filter(([, route]) => mayCall(route, principal)).map(([path]) => path)
  }

  /** The methods that a URL can be asked with; empty for an unknown path. */
  methodsFor (url: string): string[] {
    this.#router ??= this.#build()
    const path = url.split('?', 1)[0]!
    const all = new Set([...this.#routes.values()].flatMap(({ methods }) => [...methods]))
    return [...all].filter(method => this.#router!.find(method as HTTPMethod, path) !== null).sort()
  }

  #build (): Router {
    const router = findMyWay(this.#rules)
    for (const [path, { methods }] of this.#routes) router.on([...methods] as HTTPMethod[], path, () => {})
    return router
  }
}

/** The failure of a request that no route takes: 405 where the path has other methods, else 404 with the nearest paths. */
export function notFoundFailure (method: string, url: string, methods: readonly string[], paths: readonly string[], base: string): ToolError {
  const path = oneLine(url.split('?', 1)[0]!, 100)
  if (methods.length > 0) return fromRow('METHOD_NOT_ALLOWED', `${path} has no ${method}: it takes ${methods.join(', ')}.`, { expected: methods.join(', ') })
  const candidates = new Set(paths.map(known => filledIn(known, path)).filter(known => !known.includes('/:')))
  const near = nearestFew(path, [...candidates], 3)
  return fromRow('ROUTE_NOT_FOUND', `There is no ${path} here.`, { did_you_mean: near[0], candidates: near, hint: `GET ${base}/api/capabilities lists what can be called.` })
}

/** A path with the parameters it would have here, so that only its fixed parts are compared. */
function filledIn (known: string, path: string): string {
  const given = path.split('/')
  return known.split('/').map((segment, index) => segment.startsWith(':') ? given[index] || segment : segment).join('/')
}
