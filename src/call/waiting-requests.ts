// On the request itself, under a name of our own: a map beside it would cost every call more.
const STATE = Symbol('candor.state')

interface Followed { [STATE]?: 'waiting' | 'begun' }

/** Says that a request (Node's) has come, and that its handler will say when it begins. */
export function awaitHandler (request: object): void {
  (request as Followed)[STATE] = 'waiting'
}

/** Says that the handler of a request begins. */
export function beginHandler (request: object): void {
  (request as Followed)[STATE] = 'begun'
}

/** How far a request has come: before its handler begins, nothing was carried out. `undefined` for one that nobody follows. */
export function stateOf (request: object): 'waiting' | 'begun' | undefined {
  return (request as Followed)[STATE]
}
