import type { Category } from '../protocol/category.js'
import type { Infer, JsonSchema } from '../schema/infer.js'
import type { Problem } from '../schema/problem.js'
import type { Awaitable, Call } from './call.js'
import type { HonestyOptions } from './honesty-rules.js'
import type { RateLimit } from './rate-limit.js'

/** One error a capability can answer with; published in every form of discovery. */
export interface ErrorDeclaration {
  category: Category
  /** One of the category's row. @default the category's */
  status?: number
  /**
   * May the caller try again? On `INPUT_ERROR` and `NOT_FOUND` an opt-in: for one known condition that the caller can correct.
   * @default what the category says
   */
  retryable?: boolean
  /** When it happens, for people and models that read the discovery. */
  description: string
  /** What to do instead; sent as `details.hint`. */
  hint?: string
}

export type ErrorDeclarations = Readonly<Record<string, ErrorDeclaration>>

/** A declared capability, as the service sees it. Made by `defineCapability`. */
export interface Capability<I extends JsonSchema = JsonSchema, O extends JsonSchema = JsonSchema, E extends ErrorDeclarations = ErrorDeclarations> {
  readonly name: string
  readonly description: string
  readonly effect: 'read' | 'write'
  readonly idempotent: boolean
  readonly evidence: 'upstream' | 'none' | undefined
  readonly hidden: boolean
  readonly honesty: HonestyOptions | undefined
  readonly upstreams: readonly string[]
  readonly input: I
  readonly output: O
  readonly examples: ReadonlyArray<{ input: unknown, output?: unknown }>
  readonly errors: E
  readonly timeoutMs: number
  readonly scopes: readonly string[]
  readonly rateLimit: RateLimit | false | undefined
  readonly maxConcurrent: number | undefined
  readonly maxQueued: number | undefined
  /** Its parameters are checked where the capability is defined; here they are erased. */
  readonly check: ((input: never) => readonly Problem[] | undefined) | undefined
  readonly handler: (input: never, call: never) => unknown
}

/** What JSON literals widen to, so that a handler may return them for a plain schema. */
type Literals = '' | 0 | false | null | undefined | Literals[] | [Literals] | { [key: string]: Literals }

/** The options of `defineCapability`; `docs/reference/capability.md` has them all. */
export interface CapabilityOptions<I extends JsonSchema, O extends JsonSchema, E extends ErrorDeclarations, U extends string> {
  /** `^[a-z][a-z0-9_]{0,47}$` */
  name: string
  /** What it does, for a model that chooses among tools. */
  description: string
  /** Does a call change anything in the world? Must be said: what a caller may repeat depends on it. */
  effect: 'read' | 'write'
  /** A write that may be repeated without a second effect. @default false */
  idempotent?: boolean
  /** `'upstream'`: success needs a successful exchange with a declared upstream. `'none'`: no exchanges are looked for. */
  evidence?: 'upstream' | 'none'
  /** Callable, but in no form of discovery. @default false */
  hidden?: boolean
  /** Rules of honest success that are not `refuse` here. @default the service's */
  honesty?: HonestyOptions
  /** Labels of the upstreams it calls. */
  upstreams?: readonly U[]
  /** An object schema. Closed, unless it says otherwise. */
  input: I
  output: O
  examples?: ReadonlyArray<{ input: Infer<I>, output?: Infer<O> }>
  /** The only errors the handler can fail with by itself. */
  errors?: E
  /** The whole call, in milliseconds. @default 30000 */
  timeoutMs?: number
  /** What a caller must be allowed to, all of it; needs `auth` of the service. @default nothing */
  scopes?: readonly string[]
  /** How often one caller may call it; `false` as often as it likes. @default the service's */
  rateLimit?: RateLimit | false
  /** How many calls run at a time; the others wait. @default no bound */
  maxConcurrent?: number
  /** How many calls may wait; the next is refused as `OVERLOADED`. @default as many as may run */
  maxQueued?: number
  /** Rules over several fields; runs after the schema, on valid input. */
  check?: I extends unknown ? (input: Infer<I>) => readonly Problem[] | undefined : never
  /** Needs no `try`/`catch`: what it throws is classified. A conditional property type, or literals of a union would not compile. */
  handler: O extends unknown ? (input: Infer<I>, call: Call<keyof E & string, U>) => Awaitable<Infer<O>> : never
}

export const DEFAULT_TIMEOUT_MS = 30_000

/**
 * Declares a capability once: route, validation, discovery and error contract follow from it.
 * Nothing is checked here but by the compiler; the service checks all declarations together when it starts.
 */
export function defineCapability<I extends JsonSchema, O extends JsonSchema = JsonSchema & { static: Literals }, E extends ErrorDeclarations = {}, const U extends string = never> (
  options: CapabilityOptions<I, O, E, U>
): Capability<I, O, E> {
  const { name, description, effect, idempotent = false, evidence, hidden = false, honesty, upstreams = NOTHING, input, output, examples = NOTHING, errors = NO_ERRORS as E, timeoutMs = DEFAULT_TIMEOUT_MS, scopes = NOTHING, rateLimit, maxConcurrent, maxQueued, check, handler, ...unknown } = options
  // One by one: objects of one shape share what is known of it, and the others keep it a thousand times over.
  const capability: Capability<I, O, E> = { name, description, effect, idempotent, evidence, hidden, honesty, upstreams, input, output, examples, errors, timeoutMs, scopes, rateLimit, maxConcurrent, maxQueued, check: check as never, handler: handler as never }
  // A misspelt option is told at start.
  return Object.freeze(Object.assign(capability, unknown))
}

const NOTHING: readonly never[] = Object.freeze([])
const NO_ERRORS: ErrorDeclarations = Object.freeze({})
