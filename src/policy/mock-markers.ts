import { closedFlat } from '../schema/flat.js'
import type { JsonSchema } from '../schema/infer.js'
import { findMarker } from './find-marker.js'
import { createMarkerPlan } from './marker-plan.js'
import { createTelltales, type Telling, type Telltales } from './telltales.js'

/** Data that says of itself that it is made up: a field of this name with one of these values. */
export interface MockMarker {
  /** The field, in any spelling: `is_mock` is `isMock` is `is-mock`. */
  readonly key: string
  /** The values that tell: the whole of a text, in any letter case, where `-`, `_` and a space are one. */
  readonly values: ReadonlyArray<string | number | boolean>
}

/**
 * Finds the first marker in data that fits its schema: the path, and what stands there. `undefined` where there is none.
 * `json` is the data as it is sent, where that is known: what it does not hold is not looked for in each of its texts.
 */
export type FindMarker = (data: unknown, json?: string) => string | undefined

const FLAGS = ['mock', 'is_mock', 'mocked', 'fake', 'is_fake', 'dummy', 'is_dummy', 'placeholder', 'is_placeholder', 'mock_data', 'fake_data', 'dummy_data', 'sample_data']
const ORIGINS = ['source', 'provider', 'data_source', 'origin']
const MADE_UP = ['mock', 'mocked', 'fake', 'dummy', 'placeholder', 'stub']
const KINDS = ['', ' data', 'data', ' provider', ' service', ' api', ' source']
// A sample alone is no marker: statistics are full of them.
const ORIGIN_VALUES = [...MADE_UP.flatMap(word => KINDS.map(kind => `${word}${kind}`)), 'sample data', 'sampledata']

/** The markers that are looked for in every service; besides, {@link defaultTexts}. */
export const defaultMarkers: readonly MockMarker[] = [
  ...FLAGS.map(key => ({ key, values: [true] })),
  ...ORIGINS.map(key => ({ key, values: ORIGIN_VALUES }))
]

/** What no real text contains, in any letter case, whatever the field. */
export const defaultTexts: readonly string[] = ['lorem ipsum']

/** The search for one output schema, worked out once; `undefined` where nothing that the schema allows could be a marker. */
export function createMarkerSearch (schema: JsonSchema, more: readonly MockMarker[] = []): FindMarker | undefined {
  const telltales = telltalesOf(more)
  const plan = createMarkerPlan(schema, telltales)
  if (plan === undefined) return undefined
  if (closedFlat(schema) === undefined || Boolean(schema.additionalProperties)) return data => findMarker(data, plan, telltales)
  // Of a flat object only some names are left to look at, mostly none, once its texts are known to hold nothing.
  const ofNames = createMarkerPlan(schema, { ...telltales, text: NOTHING })
  return (data, json) => {
    const rest = json !== undefined && json.length <= MAX_BRIEF && !BEGINNINGS.test(json) ? ofNames : plan
    return rest && findMarker(data, rest, telltales)
  }
}

const NOTHING: Telling = { samples: [], tells: () => false }

/** Where a text tells, its first word stands in the JSON as it is; what is between two words may be escaped. */
const BEGINNINGS = new RegExp(defaultTexts.map(text => text.split(' ', 1)[0]!).join('|'), 'i')
/** A longer text takes longer to go through than the places in it where one could be. */
const MAX_BRIEF = 4_000

const NONE: readonly MockMarker[] = []

// By list: all capabilities of a service share one.
const known = new WeakMap<readonly MockMarker[], Telltales>()

function telltalesOf (more: readonly MockMarker[]): Telltales {
  const list = more.length === 0 ? NONE : more
  let telltales = known.get(list)
  if (telltales === undefined) known.set(list, telltales = createTelltales([...defaultMarkers, ...more], defaultTexts))
  return telltales
}
