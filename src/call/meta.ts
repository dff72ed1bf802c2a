import type { Objection } from '../policy/honesty.js'
import type { Meta } from '../protocol/envelope.js'
import { encodeJson } from '../protocol/json.js'
import { redactRecord } from '../protocol/redact-record.js'
import type { Redactor } from '../protocol/redact.js'

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

const WORDS = new Set(['searched', 'widen', 'source', 'code', 'message'])

/** `meta` without what `redact` takes out of the words that a handler or a third party put there; labels, codes and numbers are the framework's. */
export function withoutSensitive (meta: Meta, redact: Redactor): Meta {
  const { partial, empty } = meta
  const rules = { text: redact, key: (name: string) => WORDS.has(name) ? name : redact(name), isSecret: () => false }
  const { candidates, ...words } = { ...empty }
  return {
    ...meta,
    ...(partial !== undefined && { partial: partial.map(one => ({ ...one, message: redact(one.message) })) }),
    ...(empty !== undefined && { empty: { ...redactRecord(words, rules) as NonNullable<Meta['empty']>, ...(candidates !== undefined && { candidates }) } })
  }
}

/** `meta` with what was found in a success that may be claimed all the same. */
export function withWarnings (meta: Meta | undefined, warnings: readonly Objection[]): Meta | undefined {
  if (warnings.length === 0) return meta
  return { ...meta, warnings: [...meta?.warnings ?? [], ...warnings.map(({ rule, exchange, error: { code } }) => ({ rule, ...(exchange !== undefined && { source: exchange.upstream }), code }))] }
}
