import type { ReadError } from 'candor/protocol'

/** The input of a capability. */
export type Input = Readonly<Record<string, unknown>>

/**
 * The input as the failure's details say it is right, or `undefined` where they do not say.
 * `fields` are the names the capability takes. A model reads the same and does the same; here plain code does, so that the demo needs no model.
 */
export function repair (input: Input, { details }: ReadError, fields: readonly string[]): Input | undefined {
  const { field, did_you_mean: meant } = details
  if (field !== undefined && meant !== undefined) return fields.includes(field) ? replace(input, field, meant) : rename(input, field, meant)
  const candidate = details.candidates?.split('; ')[0]
  const wrong = field ?? Object.keys(input).find(key => input[key] === details.original_location)
  // "USD (United States Dollar)": the name is for the reader.
  return candidate === undefined || wrong === undefined ? undefined : replace(input, wrong, candidate.replace(/ \(.*\)$/, ''))
}

function rename (input: Input, from: string, to: string): Input {
  return Object.fromEntries(Object.entries(input).map(([key, value]) => [key === from ? to : key, value]))
}

function replace (input: Input, field: string, value: string): Input | undefined {
  return Object.hasOwn(input, field) ? { ...input, [field]: value } : undefined
}
