import { hoist } from '../schema/hoist.js'
import type { JsonSchema } from '../schema/infer.js'
import { canTell } from './can-tell.js'
import { ANYTHING, fieldSchemas, itemSchemas, partsOf, type Part } from './marker-parts.js'
import type { Telling, Telltales } from './telltales.js'

type Schemas = readonly JsonSchema[]

/** Where markers can be, in data of this schema; `undefined` where nowhere. Worked out as far as the data goes. */
export function createMarkerPlan (schema: JsonSchema, telltales: Telltales): MarkerPlan | undefined {
  const root = hoist(schema)
  return planOf([root], undefined, { root, telltales, plans: new Map(), ids: new Map() })
}

interface Context {
  readonly root: JsonSchema
  readonly telltales: Telltales
  /** By what applies: the schema has so many places, however deep and wide the data is. */
  readonly plans: Map<string, MarkerPlan | undefined>
  readonly ids: Map<unknown, number>
}

/** One place of the data, to which some schemas apply. What one of them lets in can be there. */
export class MarkerPlan {
  /** The values that tell here, by the name of the field. */
  readonly telling: Telling | undefined
  /** Can a text here tell by what it contains? */
  readonly text: boolean
  /** Can something inside tell? */
  readonly deep: boolean
  readonly #context: Context
  readonly #parts: readonly Part[]
  /** Does nothing say what the value is? */
  readonly #open: boolean
  readonly #names: ReadonlySet<string>
  readonly #hasPatterns: boolean
  readonly #places: number
  // Names in data come without end: kept are those of the schema, and one plan for all others, or for each name that could tell.
  readonly #known = new Map<string | number | Telling | undefined, MarkerPlan | undefined>()

  constructor (schemas: Schemas, telling: Telling | undefined, context: Context) {
    const tells = (what: Telling): boolean => schemas.some(schema => canTell(schema, what, context.root))
    this.telling = telling !== undefined && tells(telling) ? telling : undefined
    this.text = tells(context.telltales.text)
    const parts = partsOf(schemas, context.root)
    this.#open = this.text && parts.every(({ loose }) => loose)
    this.deep = this.#open || isDeep(parts, context)
    this.#context = context
    this.#parts = this.deep ? parts : []
    this.#names = new Set(this.#parts.flatMap(({ named }) => [...named.keys()]))
    this.#hasPatterns = this.#parts.some(({ patterns }) => patterns.length > 0)
    this.#places = Math.max(0, ...this.#parts.map(({ places }) => places.length))
  }

  /** The place of a field; `undefined` where nothing there can tell. */
  field (key: string): MarkerPlan | undefined {
    const known = this.#known.get(key)
    if (known !== undefined) return known
    if (this.#names.has(key)) return this.#keep(key, () => this.#fieldPlan(key))
    const telling = this.#context.telltales.ofKey(key)
    return this.#hasPatterns ? this.#fieldPlan(key, telling) : this.#keep(telling, () => this.#fieldPlan(key, telling))
  }

  /** The place of an item; `undefined` where nothing there can tell. */
  item (index: number): MarkerPlan | undefined {
    const place = Math.min(index, this.#places)
    return this.#keep(place, () => this.#inner(this.#parts.flatMap(part => itemSchemas(part, place))))
  }

  #fieldPlan (key: string, telling = this.#context.telltales.ofKey(key)): MarkerPlan | undefined {
    return this.#inner(this.#parts.flatMap(part => fieldSchemas(part, key)), telling)
  }

  #inner (found: Schemas, telling?: Telling): MarkerPlan | undefined {
    return planOf(found.length === 0 && this.#open ? [ANYTHING] : found, telling, this.#context)
  }

  #keep (key: string | number | Telling | undefined, make: () => MarkerPlan | undefined): MarkerPlan | undefined {
    const known = this.#known.get(key)
    if (known !== undefined || this.#known.has(key)) return known
    const made = make()
    this.#known.set(key, made)
    return made
  }
}

function planOf (schemas: Schemas, telling: Telling | undefined, context: Context): MarkerPlan | undefined {
  const { plans, ids } = context
  const idOf = (what: unknown): number => ids.get(what) ?? (ids.set(what, ids.size), ids.size - 1)
  const id = [telling, ...schemas].map(idOf).join()
  if (!plans.has(id)) {
    const plan = new MarkerPlan(schemas, telling, context)
    plans.set(id, plan.telling !== undefined || plan.text || plan.deep ? plan : undefined)
  }
  return plans.get(id)
}

/** Is there a field or an item, at any depth, that can tell? The first one found will do: most schemas have a text near the top. */
function isDeep (parts: readonly Part[], context: Context, seen = new Set<JsonSchema>()): boolean {
  const { root, telltales: { text, any, ofKey } } = context
  const leads = (telling: Telling | undefined, inner: Schemas): boolean => inner.some(schema => {
    if (canTell(schema, text, root) || (telling !== undefined && canTell(schema, telling, root))) return true
    if (seen.has(schema)) return false
    seen.add(schema)
    return isDeep(partsOf([schema], root), context, seen)
  })
  return parts.some(({ named, patterns, others, places, rest }) =>
    [...named].some(([key, inner]) => leads(ofKey(key), inner)) || patterns.some(({ schemas }) => leads(any, schemas)) || leads(any, others) ||
    places.some(inner => leads(undefined, inner)) || leads(undefined, rest))
}
