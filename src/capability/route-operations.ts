import { STATUS_CODES } from 'node:http'
import type { JsonSchema } from '../schema/infer.js'
import { isSchema } from '../schema/walk.js'
import type { Components } from './components.js'
import { fieldsOf, pathsOf, WILDCARD, type RoutePath } from './route-parameters.js'
import { sourceOfRoute, type SharedSchemas } from './schema-source.js'
import { securityOf } from './security.js'

/** A route that is no capability's, with the schema its author gave it. */
export interface DocumentedRoute {
  readonly methods: readonly string[]
  /** As Fastify writes it, with its prefix. */
  readonly url: string
  readonly schema: JsonSchema
  /** What `addSchema` knows where the route stands. */
  readonly shared: () => SharedSchemas
  /** What a caller must be allowed to. @default nothing */
  readonly scopes?: readonly string[]
  /** Is it open to all, where others ask who calls? @default false */
  readonly isPublic?: boolean
}

/** What every operation of a document has, whose ever it is. */
export interface Common { readonly success: object, readonly failure: object }

/** One operation of a document, and where it stands in it. */
export interface PlacedOperation { readonly path: string, readonly method: string, readonly operation: object }

const METHODS = ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE']
/** Keywords of a Fastify schema that mean in OpenAPI what they say. */
const SAID = ['tags', 'summary', 'description', 'deprecated', 'externalDocs']

/** The routes that readers may know of, by path: without hidden ones, and without the HEAD that comes with every GET. */
export function visibleRoutes (routes: readonly DocumentedRoute[]): DocumentedRoute[] {
  // Of a plugin's own `/` Fastify announces the twin at both spellings, and the GET at one.
  const isTwin = (url: string): boolean => withGet.has(url) || withGet.has(url.replace(/\/$/, ''))
  const withGet = new Set(routes.filter(({ methods }) => methods.includes('GET')).map(({ url }) => url))
  return routes.filter(({ schema, url }) => schema.hide !== true && url.startsWith('/'))
    .map(route => ({ ...route, methods: route.methods.filter(method => METHODS.includes(method) && !(method === 'HEAD' && isTwin(route.url))) }))
    .filter(({ methods }) => methods.length > 0)
    .sort((a, b) => a.url < b.url ? -1 : 1)
}

/** What keeps routes out of a document, each as a sentence: ids that are taken. `names` are those of its capabilities. */
export function mistakesInRoutes (routes: readonly DocumentedRoute[], names: readonly string[]): string[] {
  const owners = new Map(names.map(name => [name, "a capability's"]))
  return visibleRoutes(routes).flatMap(({ schema: { operationId }, methods, url }) => {
    const where = `${methods[0]} ${url}`
    const owner = owners.get(operationId)
    if (operationId !== undefined && owner === undefined) owners.set(operationId, `that of ${where}`)
    return owner === undefined ? [] : [`Route ${where}: expected an \`operationId\` of its own, got '${operationId}', which is ${owner}.`]
  })
}

/** The operations of a route. One id means one operation: where a route makes several, the first has it. */
export function operationsOf (route: DocumentedRoute, components: Components, common: Common): PlacedOperation[] {
  const all = pathsOf(route.url).flatMap(path => route.methods.map(method => ({ path, method: method.toLowerCase() })))
  return all.map(({ path, method }, index) => ({
    path: path.path,
    method,
    operation: operation(route, path, method, index === 0, components, common)
  }))
}

function operation ({ schema, url, shared, scopes = [], isPublic = false }: DocumentedRoute, path: RoutePath, method: string, isFirst: boolean, components: Components, common: Common): object {
  const scope = `${method}${url.replace(/\W+/g, '_')}`
  const schemaOf = (part: JsonSchema, name: string): JsonSchema => components.schemaOf(sourceOfRoute(part, shared(), `${scope}_${name}`))
  const parameters = (['path', 'query', 'header'] as const).flatMap(place => parametersIn(place, schema, path, components, part => sourceOfRoute(part, shared(), `${scope}_${place}`)))
  return {
    ...isFirst && typeof schema.operationId === 'string' && { operationId: schema.operationId },
    ...Object.fromEntries(SAID.filter(keyword => schema[keyword] !== undefined).map(keyword => [keyword, schema[keyword]])),
    ...parameters.length > 0 && { parameters },
    ...isPlain(schema.body) && method !== 'get' && method !== 'head' && {
      requestBody: { required: true, ...described(schema.body), content: contentOf(schema.body, listed(schema.consumes), part => schemaOf(part, 'body')) }
    },
    responses: responsesOf(schema, schemaOf, common),
    ...securityOf(scopes, isPublic)
  }
}

/** Names that OpenAPI speaks of elsewhere; as parameters it ignores them. */
const NOT_PARAMETERS = ['accept', 'content-type', 'authorization']

function parametersIn (place: 'path' | 'query' | 'header', schema: JsonSchema, { names }: RoutePath, components: Components, sourceOf: (part: JsonSchema) => ReturnType<typeof sourceOfRoute>): object[] {
  const part: unknown = { path: schema.params, query: schema.querystring ?? schema.query, header: schema.headers }[place]
  const fields = fieldsOf(sourceOf(isPlain(part) ? part : {}))
  const shown = place === 'path' ? names : [...fields.keys()].filter(name => place === 'query' || !NOT_PARAMETERS.includes(name.toLowerCase()))
  return shown.map(name => {
    const field = fields.get(name) ?? (place === 'path' && name === WILDCARD ? fields.get('*') : undefined)
    const { description, ...rest } = field === undefined ? { type: 'string' } as JsonSchema : components.schemaOf(field.source)
    return { name, in: place, ...(place === 'path' || field?.required) && { required: true }, ...description !== undefined && { description }, schema: rest }
  })
}

function responsesOf (schema: JsonSchema, schemaOf: (part: JsonSchema, name: string) => JsonSchema, { success, failure }: Common): object {
  const declared = Object.entries<unknown>(isSchema(schema.response) ? schema.response : {}).filter((entry): entry is [string, JsonSchema] => isPlain(entry[1]))
  const responses = declared.map(([status, part]) => {
    const isEmpty = part.type === 'null' || status === '204' || status === '304'
    return [status.toUpperCase() === 'DEFAULT' ? 'default' : status.toUpperCase(), {
      ...success,
      description: part.description ?? STATUS_CODES[status] ?? 'The answer.',
      ...!isEmpty && { content: contentOf(part, listed(schema.produces), one => schemaOf(one, status)) }
    }]
  })
  if (responses.length === 0) responses.push(['200', { ...success, description: 'The answer. The route does not say what is in it.' }])
  return { ...Object.fromEntries(responses), ...!responses.some(([status]) => status === 'default') && { default: failure } }
}

/** A schema for all media types, or one for each under `content`. */
function contentOf (part: JsonSchema, mediaTypes: readonly string[], schemaOf: (part: JsonSchema) => JsonSchema): object {
  const given: Array<[string, unknown]> = isSchema(part.content) ? Object.entries<JsonSchema>(part.content).map(([type, { schema }]) => [type, schema]) : mediaTypes.map(type => [type, part])
  return Object.fromEntries(given.map(([type, schema]) => [type, isPlain(schema) ? { schema: schemaOf(bare(schema)) } : {}]))
}

/** A reference as nothing but that, so that it stays one: its description is the answer's. */
function bare (schema: JsonSchema): JsonSchema {
  const { description, ...reference } = schema
  return schema.$ref === undefined ? schema : reference
}

function described ({ description, content, $ref }: JsonSchema): object {
  return description !== undefined && (content ?? $ref) !== undefined ? { description } : {}
}

function listed (types: unknown): readonly string[] {
  return Array.isArray(types) && types.length > 0 ? types : ['application/json']
}

/** Is this JSON Schema, and not an object of another validator's? */
function isPlain (value: unknown): value is JsonSchema {
  return isSchema(value) && [Object.prototype, null].includes(Object.getPrototypeOf(value))
}
