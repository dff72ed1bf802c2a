/** What a client calls its own request. */
export type RpcId = string | number

/**
 * The calls that run, by session and request id: clients of 2025 cancel in another request. A session is a name that the
 * client was given and nobody keeps, so another instance's calls are not found here. Without one nothing can be cancelled:
 * two clients may use the same ids.
 */
export class RunningCalls {
  readonly #calls = new Map<string, () => void>()

  /** Adds a call; the returned function takes it out again. */
  add (session: string | undefined, id: RpcId, cancel: () => void): () => void {
    if (session === undefined) return () => {}
    const key = keyOf(session, id)
    this.#calls.set(key, cancel)
    return () => { if (this.#calls.get(key) === cancel) this.#calls.delete(key) }
  }

  /** Cancels a call. One that is unknown, or over, is nobody's mistake. */
  cancel (session: string | undefined, id: RpcId | undefined): void {
    if (session !== undefined && id !== undefined) this.#calls.get(keyOf(session, id))?.()
  }

  /** How many there are. */
  get size (): number {
    return this.#calls.size
  }
}

/** 1 and '1' are two ids. No header holds a line break, so that nobody's session ends in somebody else's. */
function keyOf (session: string, id: RpcId): string {
  return typeof id === 'number' ? `${session}\n${id}` : `${session}\n"${id}`
}
