import type { IsSecret } from './named-values.js'
import { bytesOf } from './redact-bytes.js'
import { isCredential } from './redact-credential.js'
import type { Redactor } from './redact.js'
import { REDACTED } from './secret-names.js'

/** How a record is redacted: its texts, its keys, and what stands under a name. */
export interface RecordRules {
  readonly text: Redactor
  /** @default as `text` */
  readonly key?: Redactor
  /** @default `isCredential` */
  readonly isSecret?: IsSecret
}

/**
 * A copy of a JSON value without credentials: what stands under the name of one at any depth, and what `text` takes out of
 * texts, numbers and bytes. Keys and order stay.
 */
export function redactRecord (value: unknown, rules: RecordRules, name: string = ''): unknown {
  if (typeof value === 'string') return rules.text(value)
  if (typeof value === 'object' && value !== null) {
    const bytes = bytesOf(value)
    if (bytes !== undefined && rules.text(bytes) !== bytes) return REDACTED
    return Array.isArray(value) ? redactList(value, rules, name) : redactFields(value, rules)
  }
  // A secret of digits alone may be sent back as a number.
  const shown = rules.text(String(value))
  return shown === String(value) ? value : shown
}

function redactFields (record: object, rules: RecordRules): object {
  const { key: redactKey = rules.text, isSecret = isCredential } = rules
  const entries = Object.entries(record)
  // `{ name: 'authorization', value: '…' }`, as some clients keep headers and forms.
  const named = entries.find(([key, value]) => /^(?:name|key|header|field)$/i.test(key) && typeof value === 'string' && isSecret(value))?.[1] as string | undefined
  return Object.fromEntries(entries.map(([key, value]) => {
    const name = named !== undefined && /^value$/i.test(key) ? named : key
    return [redactKey(key), isHidden(value, name, isSecret) ? REDACTED : redactRecord(value, rules, key)]
  }))
}

/** Headers as Node keeps them raw: names and values by turns, or in pairs. */
function redactList (list: readonly unknown[], rules: RecordRules, name: string): unknown[] {
  const { isSecret = isCredential } = rules
  const isHeaders = /headers$/i.test(name)
  return list.map((value, index) => {
    const before: unknown = list[index - 1]
    return isHeaders && index % 2 === 1 && typeof before === 'string' && isHidden(value, before, isSecret) ? REDACTED : redactRecord(value, rules, name)
  })
}

/** Nothing is no credential, and says much. */
function isHidden (value: unknown, name: string, isSecret: IsSecret): boolean {
  return value !== null && value !== '' && isSecret(name, value)
}
