import { resolve } from '../schema/hoist.js'
import type { JsonSchema } from '../schema/infer.js'
import { isSchema } from '../schema/walk.js'
import type { Telling } from './telltales.js'

/** Does a schema of `root` let in a value that tells? Yes where that takes more than a look at types, values, formats and lengths. */
export function canTell (node: JsonSchema, telling: Telling, root: JsonSchema, known = new Map<JsonSchema, boolean>()): boolean {
  const schema = resolve(node, root)
  let answer = known.get(schema)
  if (answer !== undefined) return answer
  // What is only itself again lets in nothing.
  known.set(schema, false)
  const can = (member: unknown): boolean => member === true || (isSchema(member) && canTell(member, telling, root, known))
  answer = lets(schema, telling) && UNIONS.every(union => !Array.isArray(schema[union]) || schema[union].some(can)) && listOf(schema.allOf).every(can)
  known.set(schema, answer)
  return answer
}

const UNIONS = ['anyOf', 'oneOf']

/** Does the schema, its members aside, let it in? */
function lets (schema: JsonSchema, { tells, samples }: Telling): boolean {
  // What stands in an object that is spelt out, or nearly, is not worth a plan.
  const isTold = (value: unknown): boolean => (typeof value === 'object' && value !== null) || tells(value)
  if ('const' in schema) return isTold(schema.const)
  if (Array.isArray(schema.enum)) return schema.enum.some(isTold)
  return samples.some(sample => fits(sample, schema))
}

function fits (sample: string | number | boolean, { type, format, maxLength }: JsonSchema): boolean {
  const name = typeof sample
  if (type !== undefined && ![type].flat().some(allowed => allowed === name || (allowed === 'integer' && name === 'number'))) return false
  if (typeof sample !== 'string') return true
  return !(maxLength < sample.length) && !(RIGID.has(format) && /^[a-z ]*$/.test(sample))
}

/** Formats in which no words can be written. */
const RIGID = new Set(['date', 'time', 'date-time', 'iso-time', 'iso-date-time', 'duration', 'uuid', 'ipv4', 'ipv6', 'email', 'uri', 'url'])

function listOf (value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
