import { defaultRetryable, httpStatusForCategory } from '../protocol/category.js'
import { rowOf, wellKnownCodes } from '../protocol/codes.js'
import { mistakesIn } from '../protocol/tool-error.js'
import { ownKeywords } from '../schema/close.js'
import { hoist, resolve } from '../schema/hoist.js'
import type { JsonSchema } from '../schema/infer.js'
import { describeOption } from '../schema/describe-option.js'
import { didYouMean } from '../schema/lint-keywords.js'
import { clashes, isNumbered, namesIn } from '../schema/lint-names.js'
import { breach } from '../schema/lint-values.js'
import { lintSchema, type Findings } from '../schema/lint.js'
import { eachInner, isObjectSchema, isSchema } from '../schema/walk.js'
import type { Capability, ErrorDeclaration } from './define.js'
import { mistakesInHonesty } from './honesty-rules.js'
import { isRateLimit } from './rate-limit.js'
import { isScope } from './scope.js'

const NAME = /^[a-z][a-z0-9_]{0,47}$/

/** Everything wrong with a service's declarations, each as a sentence that names the capability; empty where they are fit to start. */
export function mistakesInCapabilities (capabilities: readonly Capability[], upstreams: readonly string[]): string[] {
  const strangers = capabilities.flatMap((capability, index) => isDefined(capability) ? [] : [`Expected \`capabilities[${index}]\` to be what \`defineCapability\` returns, got ${describeOption(capability)}.`])
  const defined = capabilities.filter(isDefined)
  const names = defined.map(({ name }) => name)
  const repeated = new Set(names.filter((name, index) => names.indexOf(name) !== index))
  return [
    ...strangers,
    ...[...repeated].map(name => `Expected capability names to be unique, got ${show(name)} more than once.`),
    ...nameClashes(defined),
    ...defined.flatMap(capability => [...mistakesOf(capability, upstreams), ...lint(capability).errors].map(mistake => of(capability, mistake)))
  ]
}

/** What is not good but no reason not to start, each as a sentence that names the capability. */
export function warningsInCapabilities (capabilities: readonly Capability[]): string[] {
  return capabilities.filter(isDefined).flatMap(capability => {
    const { warnings } = lint(capability)
    linted.delete(capability)
    return warnings.map(warning => of(capability, warning))
  })
}

const of = ({ name }: Capability, text: string): string => `Capability ${show(name)}: ${text}`

/** `defineCapability` fills these in; the others an author may have forgotten. */
const FILLED_IN = ['idempotent', 'evidence', 'hidden', 'honesty', 'upstreams', 'examples', 'errors', 'timeoutMs', 'scopes', 'rateLimit', 'maxConcurrent', 'maxQueued', 'check', 'handler']

function isDefined (capability: unknown): capability is Capability {
  return isSchema(capability) && FILLED_IN.every(option => option in capability)
}

// All that a capability is made of: anything else is a misspelt option, which would be passed over in silence.
const OPTIONS = {
  name: true, description: true, effect: true, idempotent: true, evidence: true, hidden: true, honesty: true, upstreams: true, input: true, output: true, examples: true, errors: true, timeoutMs: true, scopes: true, rateLimit: true, maxConcurrent: true, maxQueued: true, check: true, handler: true
} satisfies Record<keyof Capability, true>
const ERROR_OPTIONS = { category: true, status: true, retryable: true, description: true, hint: true } satisfies Record<keyof ErrorDeclaration, true>

// By capability: errors are asked for first, and then warnings.
const linted = new WeakMap<Capability, Findings>()

function lint (capability: Capability): Findings {
  let findings = linted.get(capability)
  if (findings === undefined) {
    const sides = (['input', 'output'] as const).filter(side => isSchema(capability[side])).map(side => lintSide(capability[side], side))
    findings = { errors: [...sides.flatMap(({ errors }) => errors), ...exampleMistakes(capability)], warnings: sides.flatMap(({ warnings }) => warnings) }
    linted.set(capability, findings)
  }
  return findings
}

function lintSide (schema: JsonSchema, side: 'input' | 'output'): Findings {
  try {
    return lintSchema(schema, side)
  } catch (error) {
    return { errors: [`\`${side}\`: expected a JSON Schema that can be read, got one that cannot: ${(error as Error).message}.`], warnings: [] }
  }
}

function exampleMistakes ({ examples, input, output }: Capability): string[] {
  if (!Array.isArray(examples)) return [`expected \`examples\` to be an array, got ${describeOption(examples)}.`]
  return examples.flatMap((example: unknown, index) => {
    if (!isSchema(example) || !('input' in example)) return [`expected \`examples[${index}]\` to be an object with \`input\`, got ${describeOption(example)}.`]
    return ([['input', input], ['output', output]] as const).flatMap(([side, schema]) => {
      const broken = example[side] === undefined || !isSchema(schema) ? undefined : breach(schema, example[side])
      return broken === undefined ? [] : [`expected \`examples[${index}].${side}\` to satisfy the ${side} schema: ${broken}.`]
    })
  })
}

/** Under one `$id` discovery publishes one shape, for all capabilities together; inside one schema the linter looks. */
function nameClashes (capabilities: readonly Capability[]): string[] {
  const names = capabilities.flatMap(({ name, input, output }) => ([['input', input], ['output', output]] as const).flatMap(([side, schema]) => {
    const root = rootOf(schema)
    // What has a name is moved.
    return root === undefined || root === schema ? [] : namesIn(schema, `the ${side} of ${name}`)
  }))
  return clashes(names.filter(({ id }) => !isNumbered(id)))
    .filter(([first, second]) => first.owner !== second.owner)
    .map(([first, second]) => `Expected schemas of one name to have one shape, got two named '${first.id}': one in ${first.owner}, another in ${second.owner}. Give one of them another \`$id\`.`)
}

type Check = readonly [name: keyof Capability, expected: string, holds: (capability: Capability) => boolean]

const isBoolean = (value: unknown): boolean => typeof value === 'boolean'

const CHECKS: readonly Check[] = [
  ['name', 'to match ^[a-z][a-z0-9_]{0,47}$', ({ name }) => typeof name === 'string' && NAME.test(name)],
  ['description', 'to say what it does', ({ description }) => typeof description === 'string' && description.trim() !== ''],
  ['effect', "to be 'read' or 'write'", ({ effect }) => effect === 'read' || effect === 'write'],
  ['evidence', "to be 'upstream' or 'none'", ({ evidence }) => evidence === undefined || evidence === 'upstream' || evidence === 'none'],
  ['idempotent', 'to be a boolean', ({ idempotent }) => isBoolean(idempotent)],
  ['hidden', 'to be a boolean', ({ hidden }) => isBoolean(hidden)],
  // Above 2^31 a timer fires at once.
  ['timeoutMs', 'to be a positive number below 2147483648', ({ timeoutMs }) => Number.isFinite(timeoutMs) && timeoutMs > 0 && timeoutMs < 2 ** 31],
  ['scopes', 'to be an array of words without spaces or quotes', ({ scopes }) => Array.isArray(scopes) && scopes.every(isScope)],
  ['rateLimit', 'to be { max: 100, windowMs: 60000 } or false, `max` a whole number of 1 or more, `windowMs` 1000 or more and below 2147483648', ({ rateLimit }) => rateLimit === undefined || rateLimit === false || isRateLimit(rateLimit)],
  ['maxConcurrent', 'to be a whole number, 1 or more', ({ maxConcurrent }) => maxConcurrent === undefined || (Number.isSafeInteger(maxConcurrent) && maxConcurrent >= 1)],
  ['maxQueued', 'to be a whole number beside `maxConcurrent`', ({ maxConcurrent, maxQueued }) => maxQueued === undefined || (maxConcurrent !== undefined && Number.isSafeInteger(maxQueued) && maxQueued >= 0)],
  ['input', 'to be the schema of an object', ({ input }) => isSchema(input) && takesObjects(input)],
  ['output', 'to be a schema', ({ output }) => isSchema(output)],
  ['check', 'to be a function', ({ check }) => check === undefined || typeof check === 'function'],
  ['handler', 'to be a function', ({ handler }) => typeof handler === 'function'],
  ['upstreams', 'to be an array of labels', ({ upstreams }) => Array.isArray(upstreams) && upstreams.every(label => typeof label === 'string')],
  ['errors', 'to be an object, each code with its declaration', ({ errors }) => isSchema(errors)]
]

function mistakesOf (capability: Capability, upstreams: readonly string[]): string[] {
  const wrong = CHECKS.filter(([, , holds]) => !holds(capability))
  const fits = (option: keyof Capability): boolean => wrong.every(([name]) => name !== option)
  const errors = fits('errors') ? capability.errors : {}
  return [
    ...unknownOptions(capability, OPTIONS, ''),
    ...wrong.map(([name, expected]) => `expected \`${name}\` ${expected}, got ${showOption(capability, name)}.`),
    ...mistakesInHonesty(capability.honesty).map(mistake => `expected ${mistake}`),
    ...fits('upstreams') ? labelMistakes(capability, upstreams) : [],
    ...Object.entries(errors).flatMap(([code, declaration]) => errorMistakes(code, declaration)),
    ...fits('input') ? codeMistakes(rootOf(capability.input), errors) : []
  ]
}

function unknownOptions (given: object, known: Readonly<Record<string, true>>, at: string): string[] {
  return Object.keys(given).filter(option => !Object.hasOwn(known, option)).map(option => `expected only known options, got \`${at}${option}\`${end(didYouMean(option, Object.keys(known)))}`)
}

const end = (text: string): string => text === '' ? '.' : text

/** A typo in a label shows at start, with the spelling that was meant. */
function labelMistakes ({ upstreams, evidence }: Capability, configured: readonly string[]): string[] {
  const none = evidence === 'upstream' && upstreams.length === 0 ? ["expected `upstreams` to name a source for `evidence: 'upstream'`, got none."] : []
  const unknown = upstreams.filter(label => !configured.includes(label)).map(label =>
    `expected \`upstreams\` to name configured ones (${configured.join(', ') || 'none is configured'}), got '${label}'${end(didYouMean(label, configured))}`)
  return [...none, ...unknown]
}

function errorMistakes (code: string, declaration: ErrorDeclaration): string[] {
  if (!isSchema(declaration)) return [`expected \`errors.${code}\` to be an object, got ${describeOption(declaration)}.`]
  const { category, status, retryable, description, hint } = declaration
  const mistakes = mistakesIn({ code, message: description, category, status, retryable })
  return [
    ...mistakes.map(mistake => `errors.${code}: ${mistake.replace('`message`', '`description`').replace(/^E/, 'e')}`),
    ...mistakes.length === 0 ? tableMistakes(code, declaration) : [],
    ...unknownOptions(declaration, ERROR_OPTIONS, `errors.${code}.`),
    ...hint === undefined || typeof hint === 'string' ? [] : [`expected \`errors.${code}.hint\` to be a string, got ${describeOption(hint)}.`]
  ]
}

/** A code of the framework's own means the same whoever answers with it; only the well-known ones may say otherwise whether to try again. */
function tableMistakes (code: string, { category, status = httpStatusForCategory(category), retryable = defaultRetryable(category, status) }: ErrorDeclaration): string[] {
  const row = rowOf(code)
  if (row === undefined) return []
  const same = category === row.category && status === row.status && (retryable === row.retryable || Object.hasOwn(wellKnownCodes, code))
  return same ? [] : [`expected \`errors.${code}\` to be a code of its own, or what it means everywhere: ${row.category}, status ${row.status}, retryable ${row.retryable}.`]
}

/** A code that a field names must be declared, or the refusal it stands for would be an undeclared one. */
function codeMistakes (schema: unknown, errors: Readonly<Record<string, ErrorDeclaration>>, found = new Set<string>()): Set<string> {
  if (!isSchema(schema)) return found
  const code: unknown = schema[ownKeywords.code]
  if (code !== undefined && (typeof code !== 'string' || !Object.hasOwn(errors, code))) found.add(`expected \`${ownKeywords.code}\` to name a code declared in \`errors\`, got ${show(code)}${end(didYouMean(code, Object.keys(errors)))}`)
  else if (code !== undefined && errors[code]?.retryable === true) found.add(`expected \`errors.${code}\` not to be retryable: a field that is not correctable answers with it.`)
  eachInner(schema, inner => { codeMistakes(inner, errors, found) })
  return found
}

/** The schema as it is worked with; `undefined` where it cannot be read, which the linter says. */
function rootOf (schema: unknown): JsonSchema | undefined {
  try { return isSchema(schema) ? hoist(schema) : undefined } catch { return undefined }
}

function takesObjects (input: JsonSchema): boolean {
  const root = rootOf(input)
  return root === undefined || isObjectInput(root, root, 0)
}

function isObjectInput (node: unknown, root: JsonSchema, depth: number): boolean {
  if (!isSchema(node) || depth > 32) return false
  const schema = resolve(node, root)
  const isInner = (member: unknown): boolean => isObjectInput(member, root, depth + 1)
  const union: unknown = schema.anyOf ?? schema.oneOf
  return isObjectSchema(schema) || (Array.isArray(union) && union.every(isInner)) || (Array.isArray(schema.allOf) && schema.allOf.some(isInner))
}

function showOption (capability: Capability, option: keyof Capability): string {
  if (option === 'name') return show(capability.name)
  const { input } = capability
  return option === 'input' && isSchema(input) ? show(input.type ?? 'a schema without a type') : describeOption(capability[option])
}

/** Of a name: it is no secret, and a typo in it has to be seen. */
function show (value: unknown): string {
  return typeof value === 'string' ? `'${value.slice(0, 80)}'` : describeOption(value)
}
