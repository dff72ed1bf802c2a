import type { Objection } from '../policy/honesty.js'
import type { Meta } from '../protocol/envelope.js'
import { encodeJson } from '../protocol/json.js'

const KEYS = {
  sources: true, partial: true, cached: true, as_of: true, fallback: true, empty: true, simulated: true, warnings: true, operation_id: true, status: true, replayed: true, idempotency: true
} as const satisfies Record<keyof Meta, true>

/** What keeps `meta` from being sent: a key the protocol does not know, or a value JSON cannot hold; `undefined` where it is right. */
export function mistakeInMeta (meta: unknown): string | undefined {
  if (meta === undefined) return undefined
  if (typeof meta !== 'object' || meta === null || Array.isArray(meta)) return 'Expected `meta` to be an object.'
  const unknown = Object.keys(meta).find(key => !Object.hasOwn(KEYS, key))
  if (unknown !== undefined) return `Expected \`meta\` to have no keys but ${Object.keys(KEYS).join(', ')}; got \`${unknown}\`.`
  const encoded = encodeJson(meta)
  return 'problem' in encoded ? `Expected \`meta\` to be JSON. ${encoded.problem}` : undefined
}

/** `meta` with what was found in a success that may be claimed all the same. */
export function withWarnings (meta: Meta | undefined, warnings: readonly Objection[]): Meta | undefined {
  if (warnings.length === 0) return meta
  return { ...meta, warnings: [...meta?.warnings ?? [], ...warnings.map(({ rule, exchange, error: { code } }) => ({ rule, ...(exchange !== undefined && { source: exchange.upstream }), code }))] }
}
