import { Ajv2019, type AnySchema, type Options, type Plugin, type ValidateFunction } from 'ajv/dist/2019.js'
import addFormats from 'ajv-formats'
import type { ToolError } from '../protocol/tool-error.js'
import { addFastKeywords } from '../schema/fast-keywords.js'
import { firstProblem } from '../schema/first-problem.js'
import { hoist } from '../schema/hoist.js'
import type { JsonSchema } from '../schema/infer.js'
import { explain, type Report } from '../schema/problems.js'
import { isSchema } from '../schema/walk.js'
import { routeInputError } from './route-input.js'

/** A part of a request and its schema, as Fastify hands them over. */
export interface RoutePart { schema: unknown, httpPart?: string }

/** What Fastify's constructor takes as `ajv`. */
export interface AjvSettings { customOptions?: Options, plugins?: ReadonlyArray<Plugin<unknown> | readonly [Plugin<unknown>, unknown]> }

/** `true`, or the failure that the value is. Fills in defaults. */
export type ValidatePart = (value: unknown) => true | { error: ToolError }

// As capabilities are checked.
const options: Options = { strict: false, strictNumbers: true, ownProperties: true, useDefaults: true, removeAdditional: false, logger: false }

/**
 * Validators for the schemas of plain routes. A JSON body is never coerced and nothing is dropped from it; query, path
 * and headers are text, and coerced. `shared` are the schemas of `app.addSchema`; they can be referred to.
 */
export function createRouteValidator (shared: Readonly<Record<string, unknown>>, settings: AjvSettings = {}): (part: RoutePart) => ValidatePart {
  const body = instance(shared, settings, { coerceTypes: false })
  // All errors, so that every field is coerced before the report is made; a URL and headers are small.
  const text = instance(shared, settings, { coerceTypes: 'array', allErrors: true })
  return ({ schema, httpPart }) => {
    const validate = compile(httpPart === 'body' ? body : text, schema as AnySchema)
    const full = isSchema(schema) ? inFull(schema) : undefined
    return value => validate(value) === true || { error: routeInputError(full?.(value) ?? firstProblem(validate.errors![0]!), httpPart) }
  }
}

function instance (shared: Readonly<Record<string, unknown>>, { customOptions, plugins = [] }: AjvSettings, coercion: Options): Ajv2019 {
  const ajv = new Ajv2019({ ...options, ...coercion, ...customOptions })
  // What reads its list from the data is left to the validator's own.
  if (customOptions?.$data !== true) addFastKeywords(ajv)
  for (const plugin of plugins) typeof plugin === 'function' ? plugin(ajv) : plugin[0](ajv, plugin[1])
  addFormats.default(ajv)
  for (const schema of Object.values(shared)) ajv.addSchema(schema as AnySchema)
  return ajv
}

/** Ajv refuses to compile two schemas of one name. */
function compile (ajv: Ajv2019, schema: AnySchema): ValidateFunction {
  const known = typeof schema === 'object' && typeof schema.$id === 'string' ? ajv.getSchema(schema.$id) : undefined
  return known ?? ajv.compile(schema)
}

/** Every problem of a value; `undefined` where the schema refers to what only the validator knows. */
function inFull (schema: JsonSchema): (value: unknown) => Report | undefined {
  let root: JsonSchema | undefined
  return value => {
    root ??= hoist(schema)
    const report = explain(root, value)
    return report.total > 0 ? report : undefined
  }
}
