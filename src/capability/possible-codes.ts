import { defaultRetryable, httpStatusForCategory, type Category } from '../protocol/category.js'
import { codes, type CodeRow, type FrameworkCode } from '../protocol/codes.js'
import type { JsonSchema } from '../schema/infer.js'
import { mapSubschemas } from '../schema/walk.js'
import { verdicts } from '../upstream/verdicts.js'
import type { Capability } from './define.js'

/** One error that a capability can answer with, as discovery tells it. */
export interface PublishedError {
  code: string
  status: number
  category: Category
  retryable: boolean
  description: string
  hint?: string
}

/** When the framework answers a call with one of its codes. */
interface Possible {
  readonly when: (capability: Capability) => boolean
  /** Said before the handler runs: a write of the call has certainly not happened. */
  readonly atDoor?: true
  readonly description: string
  readonly hint?: string
}

const always = (): boolean => true
const isWrite = ({ effect }: Capability): boolean => effect === 'write'
const asksUpstreams = ({ upstreams }: Capability): boolean => upstreams.length > 0
const mayLackField = ({ input, check }: Capability): boolean => check !== undefined || requiresField(input)
const isOwed = ({ output }: Capability): boolean => !['null', 'void', 'undefined'].includes(output.type)
const atDoor = true
const REPORT = 'Report the request id to the people who run this tool.'

/** `null`: never an answer to a call of a capability. A code without a row does not compile. */
const possible = {
  INVALID_INPUT: { when: always, atDoor, description: 'The input does not match the input schema.', hint: 'Correct the fields that the message names.' },
  MISSING_REQUIRED_FIELD: { when: mayLackField, atDoor, description: 'A required field is missing.', hint: 'Add the fields that the message names.' },
  INVALID_JSON: { when: always, atDoor, description: 'The body is not JSON.' },
  POISONED_KEY: { when: always, atDoor, description: 'The body has a key that would change the object holding it, such as __proto__.' },
  INPUT_TOO_DEEP: { when: always, atDoor, description: 'The input is nested too deeply.' },
  INPUT_TOO_LARGE: { when: always, atDoor, description: 'The body is larger than this tool takes.' },
  UNSUPPORTED_MEDIA_TYPE: { when: always, atDoor, description: 'The body is not sent as JSON.', hint: 'Send application/json.' },
  METHOD_NOT_ALLOWED: null,
  ROUTE_NOT_FOUND: null,
  CAPABILITY_NOT_FOUND: { when: always, atDoor, description: 'This tool does not offer the capability any more.', hint: 'Ask for the list of capabilities again.' },
  URI_TOO_LONG: null,
  INVALID_REQUEST: { when: always, atDoor, description: 'The request as a whole was refused.' },
  REQUEST_INCOMPLETE: { when: always, atDoor, description: 'The request did not arrive in time as a whole.' },
  EXPECTATION_FAILED: null,
  MALFORMED_REQUEST: null,
  HEADERS_TOO_LARGE: null,
  TARGET_NOT_ALLOWED: { when: asksUpstreams, description: 'The address to ask is none that this tool may ask.' },
  ORIGIN_NOT_ALLOWED: { when: always, atDoor, description: 'The request comes from a web page that may not call this tool.' },

  UNAUTHORIZED: { when: always, atDoor, description: 'The service could not tell who calls.', hint: 'Send valid credentials.' },
  API_KEY_MISSING: { when: always, atDoor, description: 'No API key was sent.', hint: 'Send an API key.' },
  API_KEY_INVALID: { when: always, atDoor, description: 'The API key is not known.', hint: 'Send a valid API key.' },
  FORBIDDEN: { when: always, atDoor, description: 'The caller may not use this capability.' },
  AUTH_PROVIDER_UNAVAILABLE: { when: always, atDoor, description: 'Credentials cannot be checked at the moment.' },
  RATE_LIMIT_EXCEEDED: { when: always, atDoor, description: 'The caller sends more requests than this tool takes.', hint: 'Wait as long as Retry-After says.' },
  OVERLOADED: { when: always, atDoor, description: 'The tool has more calls running than it can serve.' },

  REQUEST_TIMEOUT: { when: always, description: 'The call was not done within its time.' },
  SERVICE_STOPPING: { when: always, description: 'The tool is stopping.' },
  SERVICE_UNAVAILABLE: { when: always, atDoor, description: 'The tool is not ready.' },
  INTERNAL_ERROR: { when: always, description: 'The tool ran into an error of its own. The input is not the reason.', hint: REPORT },
  CORRUPT_STATE: { when: isWrite, atDoor, description: 'What the tool remembers of this operation is damaged.', hint: REPORT },

  UNSUPPORTED_SUCCESS: { when: ({ evidence }) => evidence === 'upstream', description: 'The tool has an answer that no source stands behind, so it is not shown.', hint: REPORT },
  MOCK_DATA_REJECTED: { when: always, description: 'The tool has an answer that is marked as made up, so it is not shown.', hint: REPORT },
  OUTPUT_INVALID: { when: always, description: 'The tool made an answer that does not match its own declaration, so it is not shown.', hint: REPORT },
  EMPTY_HANDLER_RESULT: { when: isOwed, description: 'The tool ended without an answer.', hint: REPORT },

  UPSTREAM_REJECTED_INPUT: ofUpstream('rejected_input'),
  UPSTREAM_NOT_FOUND: ofUpstream('not_found'),
  UPSTREAM_CONFLICT: ofUpstream('conflict'),
  UPSTREAM_AUTH_FAILED: ofUpstream('auth_failed'),
  UPSTREAM_FORBIDDEN: ofUpstream('forbidden'),
  UPSTREAM_PAYMENT_REQUIRED: ofUpstream('payment_required'),
  UPSTREAM_QUOTA_EXHAUSTED: ofUpstream('quota_exhausted'),
  UPSTREAM_RATE_LIMITED: ofUpstream('rate_limited'),
  UPSTREAM_UNAVAILABLE: ofUpstream('unavailable'),
  UPSTREAM_REDIRECTED: ofUpstream('redirected'),
  UPSTREAM_REFUSED: ofUpstream('refused'),
  UPSTREAM_UNREACHABLE: ofUpstream('unreachable'),
  UPSTREAM_TIMEOUT: ofUpstream('timeout'),
  UPSTREAM_CONNECTION_LOST: ofUpstream('connection_lost'),
  UPSTREAM_INVALID_RESPONSE: ofUpstream('invalid_response'),
  UPSTREAM_PROTOCOL_ERROR: ofUpstream('protocol_error'),
  UPSTREAM_TLS_FAILED: ofUpstream('tls_failed'),
  UPSTREAM_FAILED: ofUpstream('failed'),
  CALLER_GONE: null,

  OPERATION_IN_PROGRESS: { when: isWrite, atDoor, description: 'The same operation is still running.' },
  OPERATION_NOT_FOUND: null,
  IDEMPOTENCY_STORE_UNAVAILABLE: { when: isWrite, atDoor, description: 'Whether the operation was carried out before cannot be looked up at the moment.' },
  IDEMPOTENCY_KEY_REQUIRED: { when: isWrite, atDoor, description: 'A call of this capability needs an Idempotency-Key header.', hint: 'Send a key of your own making, the same for each attempt.' },
  IDEMPOTENCY_KEY_INVALID: { when: isWrite, atDoor, description: 'The Idempotency-Key header is not legal.' },
  IDEMPOTENCY_KEY_REUSED: { when: isWrite, atDoor, description: 'The idempotency key was used with another input.', hint: 'Send a new key.' }
} as const satisfies Record<FrameworkCode, Possible | null>

/** The declared errors, in the order of their declaration. */
export function declaredErrors ({ errors }: Capability): PublishedError[] {
  return Object.entries(errors).map(([code, { category, status = httpStatusForCategory(category), retryable, description, hint }]) => (
    { code, status, category, retryable: retryable ?? defaultRetryable(category, status), description, ...(hint !== undefined && { hint }) }
  ))
}

/** Every error a call of the capability can end with: the declared ones, then the framework's. */
export function possibleErrors (capability: Capability): PublishedError[] {
  return [...declaredErrors(capability), ...frameworkErrors(capability).map(([error]) => error)]
}

/**
 * The possible errors under each status that can carry them, by status. Once a write may have happened, any error of its
 * handler is sent as 500 and not to be sent again.
 */
export function errorsByStatus (capability: Capability): Map<number, PublishedError[]> {
  const errors = possibleErrors(capability)
  const atDoor = new Set(frameworkErrors(capability).filter(([, atDoor]) => atDoor).map(([error]) => error.code))
  const declared = Object.keys(capability.errors)
  const undone = isWrite(capability) ? errors.filter(({ code }) => declared.includes(code) || !atDoor.has(code)) : []
  const all = [...errors, ...undone.map((error): PublishedError => ({ ...error, status: 500, category: 'SERVICE_ERROR', retryable: false }))]
  const byStatus = new Map<number, PublishedError[]>()
  for (const status of [...new Set(all.map(error => error.status))].sort((a, b) => a - b)) {
    byStatus.set(status, all.filter((error, index) => error.status === status && index === all.findIndex(other => other.status === status && other.code === error.code)))
  }
  return byStatus
}

/** Without those that the author declares under the same status: the author's words say more. */
function frameworkErrors (capability: Capability): Array<[error: PublishedError, atDoor: boolean]> {
  const declared = declaredErrors(capability)
  return Object.entries<CodeRow>(codes).flatMap(([code, { category, status, retryable, reserved }]) => {
    const row: Possible | null = possible[code as FrameworkCode]
    if (row === null || !row.when(capability) || reserved === true || declared.some(error => error.code === code && error.status === status)) return []
    const { description, hint } = row
    return [[{ code, status, category, retryable, description, ...(hint !== undefined && { hint }) }, row.atDoor === true]]
  })
}

function ofUpstream (outcome: keyof typeof verdicts): Possible {
  const { message, hint }: { message: (upstream: string, within: string) => string, hint?: string } = verdicts[outcome]
  return { when: asksUpstreams, description: message('An upstream', 'in time'), ...(hint !== undefined && { hint }) }
}

function requiresField (schema: JsonSchema): boolean {
  let found = Array.isArray(schema.required) && schema.required.length > 0
  mapSubschemas(schema, subschema => { found ||= requiresField(subschema); return subschema })
  return found
}
