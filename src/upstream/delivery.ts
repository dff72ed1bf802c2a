import type { Dispatcher } from 'undici'
import type { Auth } from './auth.js'
import type { Ending, Task } from './ending.js'
import { MAX_REDIRECTS, nextHop } from './redirects.js'
import type { Semaphore } from './semaphore.js'
import { send, type Progress, type WireLimits, type WireRequest, type WireResponse } from './transport.js'

/** What the requests of one upstream go through. */
export interface Route {
  readonly dispatcher: Dispatcher
  readonly limits: WireLimits
  /** Asked where a request brings no `authorization` of its own. */
  readonly auth?: Auth
  readonly semaphore?: Semaphore
}

/** One exchange while it runs. */
export interface Delivery {
  readonly progress: Progress
  readonly ending: Ending
  /** Are redirects followed? */
  readonly isRead: boolean
  /** Is an answer of this status one that the author asked for? */
  accepts (status: number): boolean
}

/** The source of an upstream's token failed: the upstream itself was not asked. */
export class TokenError extends Error {
  constructor (cause: unknown) {
    super('No token for the upstream.', { cause })
  }
}

/**
 * One request to its answer: through the semaphore, with its token, redirects of a read followed, and a 401 answered
 * with a fresh token once. All of it is one exchange, told by its last attempt: what came before was answered and
 * changed nothing.
 */
export function deliver (route: Route, request: WireRequest, delivery: Delivery): Promise<WireResponse> {
  const { semaphore } = route
  return semaphore === undefined ? deliverWithToken(route, request, delivery) : deliverInTurn(semaphore, route, request, delivery)
}

async function deliverInTurn (semaphore: Semaphore, route: Route, request: WireRequest, delivery: Delivery): Promise<WireResponse> {
  const release = await delivery.ending.during(() => semaphore.acquire())
  try {
    return await deliverWithToken(route, request, delivery)
  } finally {
    release()
  }
}

function deliverWithToken (route: Route, request: WireRequest, delivery: Delivery): Promise<WireResponse> {
  const { auth } = route
  return auth === undefined || request.headers.authorization !== undefined ? follow(route, request, delivery) : deliverAs(auth, route, request, delivery)
}

async function deliverAs (auth: Auth, route: Route, request: WireRequest, delivery: Delivery): Promise<WireResponse> {
  const token = await delivery.ending.during(() => auth.token()).catch((cause: unknown) => { throw new TokenError(cause) })
  const response = await follow(route, bearing(request, token), delivery)
  if (response.status !== 401 || delivery.accepts(401)) return response
  // Without another token the 401 stands, for whatever reason there is none.
  const fresh = await delivery.ending.during(() => auth.token(token)).catch(() => token)
  return fresh === token ? response : await follow(route, bearing(request, fresh), delivery)
}

function bearing (request: WireRequest, token: string): WireRequest {
  return { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } }
}

function follow (route: Route, request: WireRequest, delivery: Delivery, redirects: number = 0): Promise<WireResponse> {
  const answered = delivery.ending.during(() => attempt(route, request, delivery.progress))
  if (!delivery.isRead || redirects === MAX_REDIRECTS) return answered
  return answered.then(response => {
    const next = response.cut === undefined ? nextHop(request, response) : undefined
    return next === undefined || delivery.accepts(response.status) ? response : follow(route, next, delivery, redirects + 1)
  })
}

function attempt ({ dispatcher, limits }: Route, request: WireRequest, progress: Progress): Task<WireResponse> {
  progress.sent = false
  progress.status = undefined
  progress.phase = 'connect'
  return send(dispatcher, request, limits, progress)
}
