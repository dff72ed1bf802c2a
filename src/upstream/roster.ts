// On the member itself: it may be in one roster at a time.
const PLACE = Symbol('candor.place')

interface Placed { [PLACE]?: number | undefined }

/**
 * Who is there at the moment, in no order. For members that come and go with every call: a `Set` is built anew each time
 * the last of its members leaves.
 */
export class Roster<Member extends object> {
  readonly #present: Member[] = []

  /** Not to be kept: it changes. */
  get present (): readonly Member[] { return this.#present }

  add (member: Member): void {
    (member as Placed)[PLACE] = this.#present.push(member) - 1
  }

  has (member: Member): boolean { return (member as Placed)[PLACE] !== undefined }

  /** Nothing where it is not there. */
  remove (member: Member): void {
    const place = (member as Placed)[PLACE]
    if (place === undefined) return
    const last = this.#present.pop()!
    ;(member as Placed)[PLACE] = undefined
    if (last === member) return
    this.#present[place] = last
    ;(last as Placed)[PLACE] = place
  }
}
