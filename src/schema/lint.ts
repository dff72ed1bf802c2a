import { CONDITIONS, ownKeywords } from './close.js'
import { itemPath, propertyPath } from './describe-value.js'
import { hoist, pointedTo, resolve, standalone } from './hoist.js'
import type { JsonSchema } from './infer.js'
import { lintInner, lintKeywords } from './lint-keywords.js'
import { clashes, hasTransform, isTransform, namesIn } from './lint-names.js'
import { declaresNothing, lintClosing, lintRequired } from './lint-objects.js'
import { lintPattern } from './lint-patterns.js'
import { lintValues } from './lint-values.js'
import { eachInner, isSchema } from './walk.js'

/** What is wrong with a declaration: errors keep the service from starting, warnings are logged once. */
export interface Findings { readonly errors: string[], readonly warnings: string[] }

/** Which of its two schemas a capability is asked for. */
export type Side = 'input' | 'output'

/** Everything wrong with the schema of one side of a capability, each as a sentence that names the field. Nothing is compiled but for a value that seems to break its schema. */
export function lintSchema (schema: JsonSchema, side: Side): Findings {
  const root = hoist(schema)
  // Without references one object may stand in several places, each of them a field of its own.
  const lint: Lint = { root, side, errors: [], warnings: [], visited: root === schema ? undefined : new Map(), undescribed: [], decodes: false }
  // What a copy leaves behind: names, which are why it was made, and the marks of TypeBox.
  if (root !== schema) lintOriginal(lint, schema)
  visit(lint, { schema: lint.root, path: side, isRoot: true, inUnion: false })
  if (lint.decodes) lint.errors.push(`\`${side}\`: expected no \`Type.Transform\`: nothing decodes it here. Convert in the handler.`)
  if (lint.undescribed.length > 0) lint.warnings.push(`\`${side}\`: expected a \`description\` of every field, got none of ${lint.undescribed.join(', ')}.`)
  return { errors: [...new Set(lint.errors)], warnings: [...new Set(lint.warnings)] }
}

interface Lint extends Findings {
  readonly root: JsonSchema
  readonly side: Side
  /** Each schema that was looked at; `true` where that was inside a union. */
  readonly visited: Map<JsonSchema, boolean> | undefined
  readonly undescribed: string[]
  /** Does a schema want its values decoded? */
  decodes: boolean
}

/** One schema, and the path of the value it is about. */
interface Place {
  readonly schema: JsonSchema
  readonly path: string
  readonly isRoot?: boolean
  readonly isField?: boolean
  /** Is a default that stands here filled in? */
  readonly fills?: boolean
  /** Inside a union or a condition nothing is filled in, however deep. */
  readonly inUnion: boolean
}

type Report = (text: string) => void

function lintOriginal (lint: Lint, schema: JsonSchema): void {
  const { side } = lint
  for (const [{ id }] of clashes(namesIn(schema, side))) lint.errors.push(`\`${side}\`: expected schemas of one name to have one shape, got two with the \`$id\` '${id}'.`)
  lint.decodes = hasTransform(schema)
}

function visit (lint: Lint, place: Place): void {
  const { schema, path, inUnion } = place
  const before = lint.visited?.get(schema)
  if (before === true || before === inUnion) return
  lint.visited?.set(schema, inUnion)
  lint.decodes ||= isTransform(schema)
  const error: Report = text => { lint.errors.push(sentence(path, text)) }
  if (before === undefined) lintNode(lint, place, error, text => { lint.warnings.push(sentence(path, text)) })
  lintDefault(lint, place, error)
  if (typeof schema.$ref === 'string') follow(lint, place, error)
  eachInner(schema, (inner, keyword, key) => {
    // Of what stands in two places, the first is told.
    if (!isSchema(inner) && before !== undefined) return
    if (!isSchema(inner)) lintInner(inner, keyword, key, error)
    // Definitions are looked at where they are referred to.
    else if (keyword === '$defs') lint.decodes ||= hasTransform(inner)
    else visit(lint, inside(place, inner, keyword, key))
  })
}

function sentence (path: string, text: string): string {
  return `\`${path}\`: expected ${text}${text.endsWith('?') ? '' : '.'}`
}

function lintNode (lint: Lint, { schema, path, isRoot, isField }: Place, error: Report, warning: Report): void {
  const { root, side } = lint
  if (isField === true && !isDescribed(schema, root)) lint.undescribed.push(path)
  lintKeywords(schema, isRoot === true && side === 'output').forEach(error)
  lintValues(schema, () => standalone(schema, root)).forEach(error)
  lintPatterns(side, schema, error, warning)
  lintObject(lint, schema, error, warning)
  if (schema[ownKeywords.code] !== undefined && schema[ownKeywords.correctable] !== false) warning(`\`${ownKeywords.correctable}: false\` beside \`${ownKeywords.code}\`, which has no effect without`)
}

/** The paths are those of fields, so definitions are looked at where the first of their references stands. */
function follow (lint: Lint, place: Place, error: Report): void {
  const { $ref } = place.schema
  const target = pointedTo($ref, lint.root)
  if (target === undefined) error(`\`$ref\` to name an \`$id\` of the same schema, or a place in it like '#/$defs/Place', got '${$ref}'`)
  // Its default stands beside the reference by now.
  else visit(lint, { schema: target, path: place.path, fills: true, inUnion: place.inUnion })
}

function inside ({ path, inUnion }: Place, schema: JsonSchema, keyword: string, key: string): Place {
  const isField = keyword === 'properties'
  const isTuple = keyword === 'items' && key !== ''
  const at = isField ? propertyPath(path, key) : pathOf(path, keyword, key)
  return { schema, path: at, isField, fills: isField || isTuple, inUnion: inUnion || UNFILLED.has(keyword) }
}

const UNFILLED = new Set(['anyOf', 'oneOf', ...CONDITIONS])

function pathOf (path: string, keyword: string, key: string): string {
  if (keyword === 'items' && key !== '') return itemPath(path, Number(key))
  if (['items', 'additionalItems', 'unevaluatedItems', 'contains'].includes(keyword)) return `${path}[]`
  return ['patternProperties', 'additionalProperties', 'unevaluatedProperties'].includes(keyword) ? `${path}.*` : path
}

/** A literal says by itself what it is. */
function isDescribed (schema: JsonSchema, root: JsonSchema): boolean {
  const { description, const: literal } = resolve(schema, root)
  return literal !== undefined || (typeof description === 'string' && description.trim() !== '')
}

function lintDefault ({ side }: Lint, { schema, fills, inUnion }: Place, error: Report): void {
  if (schema.default === undefined || side === 'output' || (fills === true && !inUnion)) return
  error(`no \`default\` ${inUnion ? 'inside a union or a condition' : 'but of a field'}: it is never filled in`)
}

function lintPatterns (side: Side, schema: JsonSchema, error: Report, warning: Report): void {
  const { pattern, maxLength, patternProperties, propertyNames } = schema
  if (pattern === undefined && patternProperties === undefined) return
  const report = (name: string, finding: ReturnType<typeof lintPattern>): void => {
    if (finding !== undefined) (finding.severity === 'error' ? error : warning)(`${name} ${finding.text}`)
  }
  if (pattern !== undefined) report('`pattern`', lintPattern(pattern, maxLength))
  if (pattern !== undefined && maxLength === undefined && side === 'input') warning('a `maxLength` beside `pattern`, which is checked first')
  for (const key of isSchema(patternProperties) ? Object.keys(patternProperties) : []) report('a key of `patternProperties`', lintPattern(key, propertyNames?.maxLength))
}

function lintObject ({ root, side }: Lint, schema: JsonSchema, error: Report, warning: Report): void {
  const closing = side === 'input' ? lintClosing(schema, root) : undefined
  if (closing !== undefined) error(closing)
  const lost = lintRequired(schema)
  if (lost.length > 0) error(`\`required\` to name declared fields, got ${lost.join(', ')}`)
  if (declaresNothing(schema)) warning(`an object schema to declare fields: this one ${side === 'input' ? 'accepts nothing but {}' : 'loses every field it has'}. Say \`additionalProperties: true\` for an open one`)
}
