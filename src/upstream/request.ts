import type { Infer, JsonSchema } from '../schema/infer.js'

/** Query values; `undefined` is left out, a list repeats the name. */
export type QueryValue = string | number | boolean | undefined | ReadonlyArray<string | number>

/** One request to a declared upstream. */
export interface RequestOptions<Codes extends string = string, S extends JsonSchema = JsonSchema> {
  /** Values of the path's `{placeholders}`, each encoded as one segment. */
  params?: Readonly<Record<string, string | number>>
  query?: Readonly<Record<string, QueryValue>>
  headers?: Readonly<Record<string, string>>
  /** A body sent as JSON. At most one of `json`, `form` and `body`. */
  json?: unknown
  /** A body sent as `application/x-www-form-urlencoded`. */
  form?: Readonly<Record<string, QueryValue>>
  /** A body sent as it is; name its type in `headers`. */
  body?: string | Uint8Array
  /** The shape of a 2xx answer: what does not match is `UPSTREAM_INVALID_RESPONSE`. Declare it outside the handler: it is compiled once. */
  schema?: S
  /** Statuses beside 200–299 that are answers and not failures. Their body is not checked against `schema`. */
  acceptStatus?: readonly number[]
  /** Statuses that mean one of the capability's declared errors. */
  errors?: Readonly<Record<number, Codes>>
  /** This request changes nothing, whatever its method: it does not count as a write. */
  safe?: boolean
}

/** An answer: status, headers in lower case, and the body as data. */
export interface UpstreamResponse<T> {
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** Parsed JSON, checked against `schema` where one was given; `undefined` for an empty body; text where JSON was not asked for. */
  data: T
}

/** With `acceptStatus`: `ok` tells a 2xx, whose data has the declared shape, from an accepted other status. */
export type AcceptedResponse<T> = UpstreamResponse<T> & { ok: true } | UpstreamResponse<unknown> & { ok: false }

type Accepting = { acceptStatus: readonly number[] }

/** One HTTP method of an upstream. Throws a `ToolError` for every failure; never retries. */
export interface UpstreamMethod<Codes extends string = string> {
  <S extends JsonSchema = JsonSchema>(path: string, options: RequestOptions<Codes, S> & Accepting): Promise<AcceptedResponse<Infer<S>>>
  <S extends JsonSchema = JsonSchema>(path: string, options?: RequestOptions<Codes, S>): Promise<UpstreamResponse<Infer<S>>>
}

/** A declared upstream, as a handler sees it. */
export interface UpstreamClient<Codes extends string = string> {
  readonly get: UpstreamMethod<Codes>
  readonly post: UpstreamMethod<Codes>
  readonly put: UpstreamMethod<Codes>
  readonly patch: UpstreamMethod<Codes>
  readonly delete: UpstreamMethod<Codes>
}
