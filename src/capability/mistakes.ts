import { isCategory } from '../protocol/category.js'
import { mistakesIn } from '../protocol/tool-error.js'
import { ownKeywords } from '../schema/close.js'
import type { JsonSchema } from '../schema/infer.js'
import { isObjectSchema, isSchema, mapSubschemas } from '../schema/walk.js'
import { nearest } from '../schema/nearest.js'
import type { Capability, ErrorDeclaration } from './define.js'

const NAME = /^[a-z][a-z0-9_]{0,47}$/

/** Everything wrong with a service's declarations, each as a sentence that names the capability; empty where they are fit to start. */
export function mistakesInCapabilities (capabilities: readonly Capability[], upstreams: readonly string[]): string[] {
  const names = capabilities.map(({ name }) => name)
  const repeated = [...new Set(names.filter((name, index) => names.indexOf(name) !== index))]
  return [
    ...repeated.map(name => `Expected capability names to be unique, got '${name}' more than once.`),
    ...capabilities.flatMap(capability => mistakesOf(capability, upstreams).map(mistake => `Capability '${String(capability.name)}': ${mistake}`))
  ]
}

function mistakesOf (capability: Capability, upstreams: readonly string[]): string[] {
  const { name, description, effect, evidence, idempotent, timeoutMs, input, output, handler, errors } = capability
  const mistakes: string[] = []
  const expect = (holds: boolean, expected: string, got: unknown): void => { if (!holds) mistakes.push(`expected ${expected}, got ${show(got)}.`) }
  expect(NAME.test(String(name)), '`name` to match ^[a-z][a-z0-9_]{0,47}$', name)
  expect(typeof description === 'string' && description.trim() !== '', '`description` to say what it does', description)
  expect(effect === 'read' || effect === 'write', "`effect` to be 'read' or 'write'", effect)
  expect(evidence === undefined || evidence === 'upstream' || evidence === 'none', "`evidence` to be 'upstream' or 'none'", evidence)
  expect(typeof idempotent === 'boolean', '`idempotent` to be a boolean', idempotent)
  expect(Number.isFinite(timeoutMs) && timeoutMs > 0 && timeoutMs < 2 ** 31, '`timeoutMs` to be a positive number', timeoutMs)
  expect(isSchema(input) && (isObjectSchema(input) || isUnion(input)), '`input` to be the schema of an object', isSchema(input) ? input.type ?? 'a schema without a type' : input)
  expect(isSchema(output), '`output` to be a schema', output)
  expect(typeof handler === 'function', '`handler` to be a function', handler)
  if (evidence === 'upstream' && capability.upstreams.length === 0) mistakes.push("expected `upstreams` to name a source for `evidence: 'upstream'`, got none.")
  return [...mistakes, ...labelMistakes(capability, upstreams), ...Object.entries(errors).flatMap(([code, declaration]) => errorMistakes(code, declaration)), ...(isSchema(input) ? codeMistakes(input, errors) : [])]
}

/** A typo in a label shows at start, with the spelling that was meant. */
function labelMistakes (capability: Capability, configured: readonly string[]): string[] {
  return capability.upstreams.filter(label => !configured.includes(label)).map(label => {
    const near = nearest(label, configured)
    return `expected \`upstreams\` to name configured ones (${configured.join(', ') || 'none is configured'}), got '${label}'.${near === undefined ? '' : ` Did you mean '${near}'?`}`
  })
}

function errorMistakes (code: string, declaration: ErrorDeclaration): string[] {
  if (typeof declaration !== 'object' || declaration === null) return [`expected \`errors.${code}\` to be an object, got ${show(declaration)}.`]
  const { category, status, retryable, description } = declaration
  const mistakes = mistakesIn({ code, message: description, category, status, retryable })
  return mistakes.map(mistake => `errors.${code}: ${mistake.replace('`message`', '`description`').replace(/^E/, 'e')}`)
}

/** A code that a field names must be declared, or the refusal it stands for would be an undeclared one. */
function codeMistakes (schema: JsonSchema, errors: Readonly<Record<string, ErrorDeclaration>>): string[] {
  const mistakes: string[] = []
  const code: unknown = schema[ownKeywords.code]
  if (code !== undefined) {
    if (typeof code !== 'string' || !Object.hasOwn(errors, code)) mistakes.push(`expected \`${ownKeywords.code}\` to name a code declared in \`errors\`, got ${show(code)}.`)
    else if (isCategory(errors[code]?.category) && errors[code].retryable === true) mistakes.push(`expected \`errors.${code}\` not to be retryable: a field that is not correctable answers with it.`)
  }
  mapSubschemas(schema, subschema => { mistakes.push(...codeMistakes(subschema, errors)); return subschema })
  return mistakes
}

function isUnion (schema: JsonSchema): boolean {
  const members: unknown = schema.anyOf ?? schema.oneOf ?? schema.allOf
  return Array.isArray(members) && members.every(member => isSchema(member) && (isObjectSchema(member) || isUnion(member) || typeof member.$ref === 'string'))
}

function show (value: unknown): string {
  if (typeof value === 'string') return `'${value.slice(0, 80)}'`
  return typeof value === 'object' && value !== null ? 'an object' : typeof value === 'function' ? 'a function' : String(value)
}
