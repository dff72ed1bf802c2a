import { itemPath, propertyPath, quote } from '../schema/describe-value.js'
import type { MarkerPlan } from './marker-plan.js'
import type { Telltales } from './telltales.js'

const MAX_LOOKS = 2_000
const MAX_DEPTH = 64
const MAX_SHOWN = 60

/** The first marker in the data, the nearest to its top; the way there, and what it says. Never throws. */
export function findMarker (data: unknown, plan: MarkerPlan, telltales: Telltales): string | undefined {
  return new Search(telltales).run(data, plan)
}

/** The way to an object or array that is still to be looked into, from its end; written out only where a marker is found. */
interface Spot { readonly value: object, readonly plan: MarkerPlan, readonly from: Spot | undefined, readonly step: string | number, readonly depth: number }

class Search {
  readonly #telltales: Telltales
  readonly #spots: Spot[] = []
  #looks = 0

  constructor (telltales: Telltales) {
    this.#telltales = telltales
  }

  run (data: unknown, plan: MarkerPlan): string | undefined {
    let found = quietly(() => this.#look(data, plan, undefined, ''))
    // Level by level: what stands at the top of an answer speaks for all of it, and must not be hidden behind a thousand rows.
    for (let next = 0; found === undefined && next < this.#spots.length && this.#looks < MAX_LOOKS; next++) {
      found = quietly(() => this.#lookInto(this.#spots[next]!))
    }
    return found
  }

  #lookInto (spot: Spot): string | undefined {
    this.#looks++
    return Array.isArray(spot.value) ? this.#lookAtItems(spot, spot.value) : this.#lookAtFields(spot, spot.value as Record<string, unknown>)
  }

  #lookAtItems (spot: Spot, items: readonly unknown[]): string | undefined {
    let found: string | undefined
    for (let index = 0; found === undefined && index < items.length && index < MAX_LOOKS; index++) {
      const plan = spot.plan.item(index)
      if (plan !== undefined) found = this.#look(items[index], plan, spot, index)
    }
    return found
  }

  #lookAtFields (spot: Spot, fields: Record<string, unknown>): string | undefined {
    for (const key of Object.keys(fields)) {
      const plan = spot.plan.field(key)
      const found = plan && this.#look(fields[key], plan, spot, key)
      if (found !== undefined) return found
    }
    return undefined
  }

  #look (given: unknown, plan: MarkerPlan, from: Spot | undefined, step: string | number): string | undefined {
    if (this.#looks >= MAX_LOOKS) return undefined
    const value = answerOf(given, step)
    const depth = (from?.depth ?? 0) + 1
    if (typeof value === 'object' && plan.deep && value !== null && depth <= MAX_DEPTH && this.#spots.length < MAX_LOOKS) {
      this.#spots.push({ value, plan, from, step, depth })
      return undefined
    }
    this.#looks++
    if (plan.telling?.tells(value) !== true && !(plan.text && this.#telltales.text.tells(value))) return undefined
    return `${from === undefined ? 'The result' : pathOf(from, step)} is ${show(value, this.#telltales)}`
  }
}

function quietly (look: () => string | undefined): string | undefined {
  // A getter or a proxy of the handler's that throws: whether it can be sent at all is decided elsewhere.
  try { return look() } catch { return undefined }
}

/** What is sent of a value, where it says so itself. */
function answerOf (given: unknown, step: string | number): unknown {
  if (typeof given !== 'object' || given === null) return given
  const { toJSON } = given as { toJSON?: unknown }
  return typeof toJSON === 'function' ? toJSON.call(given, String(step)) : given
}

function pathOf (spot: Spot, step: string | number): string {
  const parent = spot.from === undefined ? '' : pathOf(spot.from, spot.step)
  return typeof step === 'number' ? itemPath(parent, step) : propertyPath(parent, step)
}

function show (value: unknown, { excerpt }: Telltales): string {
  if (typeof value !== 'string') return String(value)
  const text = excerpt(value)
  return quote(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 1)}…` : text)
}
