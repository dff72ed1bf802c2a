import { isTransientStatus } from '../protocol/next-action.js'
import type { JsonSchema } from '../schema/infer.js'
import { createComponents, type Components } from './components.js'
import type { Capability } from './define.js'
import { endpointOf, inputSchema, visibleCapabilities } from './describe.js'
import { envelopeSchemas, failureSchema, successSchema } from './envelope-schemas.js'
import { summarise } from './field-hints.js'
import { declaredErrors, errorsByStatus, type PublishedError } from './possible-codes.js'
import { operationsOf, visibleRoutes, type DocumentedRoute } from './route-operations.js'
import { sourceOf, type SchemaSource } from './schema-source.js'
import { security, securityOf, securitySchemes } from './security.js'
import type { ServerAddress } from './server-address.js'

/** What a document is made from. */
export interface OpenapiOptions {
  /** Name of the service. */
  name: string
  version: string
  description?: string
  /** Hidden ones are left out. */
  capabilities: Iterable<Capability>
  /** The path prefix they are served under: empty, or like `/tools`. */
  base: string
  /** Where the service is reached, if not at the document's own origin. */
  servers?: readonly ServerAddress[]
  /** Routes that are no capability's, as their own schemas say. @default none */
  routes?: readonly DocumentedRoute[]
  /** How callers are asked who they are. @default they are not */
  auth?: { readonly areCallsPublic: boolean }
}

/** An OpenAPI 3.1 document, as plain JSON. */
export interface OpenapiDocument {
  openapi: '3.1.0'
  info: { title: string, version: string, description?: string }
  servers?: readonly ServerAddress[]
  paths: Record<string, Record<string, object>>
  /** Of all operations that do not say otherwise. */
  security?: ReadonlyArray<Record<string, readonly string[]>>
  components: { schemas: Record<string, object>, headers: Record<string, object>, securitySchemes?: Record<string, object> }
}

/**
 * The OpenAPI document of a service: one operation a capability, sorted by name, each with all its answers; then the other
 * routes, by path. Throws a `TypeError` that names both capabilities where one `$id` stands for two shapes.
 */
export function openapiDocument ({ name, version, description, capabilities, base, servers, routes = [], auth }: OpenapiOptions): OpenapiDocument {
  const visible = visibleCapabilities(capabilities).map(capability => ({ capability, input: sourceOf(capability, 'input'), output: sourceOf(capability, 'output') }))
  const components = createComponents(visible.flatMap(({ input, output }) => [input, output]), envelopeSchemas)
  const paths: OpenapiDocument['paths'] = Object.fromEntries(visible.map(one => [endpointOf(one.capability, base), { post: { ...operation(one, components), ...(auth !== undefined && securityOf(one.capability.scopes, auth.areCallsPublic)) } }]))
  for (const { path, method, operation } of visibleRoutes(routes).flatMap(route => operationsOf(route, components, common))) {
    // Of several routes on one path, told apart by a version or a host, the first is shown.
    paths[path] = { [method]: operation, ...paths[path] }
  }
  return {
    openapi: '3.1.0',
    info: { title: name, version, ...(description !== undefined && { description }) },
    ...(servers !== undefined && { servers: servers.map(server => ({ ...server, url: server.url.replace(/(?<=.)\/+$/, '') })) }),
    ...(auth !== undefined && { security }),
    paths,
    components: { schemas: components.all(), headers, ...(auth !== undefined && { securitySchemes }) }
  }
}

const headers = {
  RequestId: { description: 'The id of this call; the log has it too.', schema: { type: 'string' } },
  ShouldRetry: { description: 'May the same request be sent again?', schema: { type: 'boolean' } },
  RetryAfter: { description: 'Seconds to wait before the same request.', schema: { type: 'integer', minimum: 1 } }
} as const

const requestId = { 'x-request-id': { $ref: '#/components/headers/RequestId' } } as const
const shouldRetry = { 'x-should-retry': { $ref: '#/components/headers/ShouldRetry' } } as const
const retryAfter = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } as const

const anyFailure = {
  description: 'Any other failure, such as one of the connection.',
  headers: { ...requestId, ...shouldRetry },
  content: { 'application/json': { schema: { $ref: '#/components/schemas/FailureEnvelope' } } }
} as const

const common = { success: { headers: requestId }, failure: { ...anyFailure, description: 'A failure.' } }

interface Visible { readonly capability: Capability, readonly input: SchemaSource, readonly output: SchemaSource }

function operation ({ capability, input, output }: Visible, components: Components): object {
  const { name, description, effect, idempotent } = capability
  return {
    operationId: name,
    tags: ['capabilities'],
    description,
    requestBody: requestBody(capability, components.schemaOf(input)),
    responses: {
      200: success(capability, components.schemaOf(output)),
      ...Object.fromEntries([...errorsByStatus(capability)].map(([status, errors]) => [status, failure(status, errors, effect)])),
      default: anyFailure
    },
    'x-candor-effect': effect,
    'x-candor-idempotent': idempotent,
    'x-candor-errors': declaredErrors(capability)
  }
}

function requestBody (capability: Capability, schema: JsonSchema): object {
  const examples = capability.examples.map(({ input }) => input)
  return {
    // No body counts as an empty object.
    required: summarise(inputSchema(capability)).required.length > 0,
    content: { 'application/json': { schema, ...named(examples) } }
  }
}

function success (capability: Capability, data: JsonSchema): object {
  const shown = capability.examples.map(({ output }) => output).filter(output => output !== undefined)
  return {
    description: 'The answer, in its envelope.',
    headers: requestId,
    content: { 'application/json': { schema: successSchema(data), ...named(shown.map(data => ({ success: true, data }))) } }
  }
}

const UNDONE = 'A write that was carried out, or may have been, answers with this status whatever the code: `details.outcome` says which.'

function failure (status: number, errors: readonly PublishedError[], effect: 'read' | 'write'): object {
  const waits = isTransientStatus(status) && errors.some(({ retryable }) => retryable)
  const list = errors.map(({ code, description, hint }) => `- \`${code}\`: ${description}${hint === undefined ? '' : ` ${hint}`}`)
  return {
    description: [...(effect === 'write' && status === 500 ? [UNDONE, ''] : []), ...list].join('\n'),
    headers: { ...requestId, ...shouldRetry, ...(waits && retryAfter) },
    content: { 'application/json': { schema: failureSchema(errors.map(({ code }) => code)) } }
  }
}

function named (values: readonly unknown[]): object {
  return values.length === 0 ? {} : { examples: Object.fromEntries(values.map((value, index) => [`example_${index + 1}`, { value }])) }
}
