import { encodeJson } from '../protocol/json.js'
import { effortFor } from './add-finding.js'
import { closeSchema } from './close.js'
import { Collector } from './collector.js'
import { checkWithDefaults, type Check } from './compile.js'
import { isTooDeep, MAX_DEPTH } from './depth.js'
import { describeValue } from './describe-value.js'
import { firstProblem } from './first-problem.js'
import type { JsonSchema } from './infer.js'
import { inspect } from './inspect.js'
import type { Problem, Report } from './problem.js'

export type { Report }

/** How many wrong fields are told; the rest are counted. */
export const MAX_PROBLEMS = 5

/** How many a caller gets who checks before he calls. */
const MAX_CHECKED = 100

/** What is wrong with a value that broke `root`, a closed schema. With `firstOnly` the first violation is all that is looked for. */
export function explain (root: JsonSchema, value: unknown, { most = MAX_PROBLEMS, firstOnly = false }: { most?: number, firstOnly?: boolean } = {}): Report {
  const collector = new Collector(most, firstOnly)
  const effort = effortFor(firstOnly)
  inspect(root, value, collector, effort)
  const complete = !firstOnly && effort.steps > 0
  return { problems: collector.problems(), total: collector.total, complete, onlyMissing: complete && collector.onlyMissing }
}

const prepared = new WeakMap<JsonSchema, { closed: JsonSchema, check: Check }>()

/**
 * Checks an input against a schema as a candor service would, without calling one: closed objects, defaults, nothing coerced.
 * Empty where the input is right, else up to a hundred problems, the most useful first. What is checked is the JSON that
 * would be sent; the input is left as it is.
 */
export function problemsOf (schema: JsonSchema, input: unknown): Problem[] {
  const encoded = encodeJson(input === undefined ? {} : input)
  if ('problem' in encoded) return [{ field: '', rule: 'json', expected: 'a value that JSON can hold', received: describeValue(input, true) }]
  const value: unknown = JSON.parse(encoded.text)
  if (isTooDeep(value)) return [{ field: '', rule: 'depth', expected: `at most ${MAX_DEPTH} levels of arrays and objects` }]
  let ready = prepared.get(schema)
  if (ready === undefined) {
    const closed = closeSchema(schema)
    prepared.set(schema, ready = { closed, check: checkWithDefaults(closed) })
  }
  const violation = ready.check(value)
  if (violation === undefined) return []
  const { problems } = explain(ready.closed, value, { most: MAX_CHECKED })
  return (problems.length > 0 ? problems : firstProblem(violation).problems).map(({ field, rule, expected, received, nearest }) => ({
    field, rule, expected, ...(received !== undefined && { received }), ...(nearest !== undefined && { nearest })
  }))
}
