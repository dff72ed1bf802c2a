import type { IsSecret } from './named-values.js'
import type { Redactor } from './redact.js'
import { isSecretName, REDACTED } from './secret-names.js'

/** How a record is redacted: its texts, its keys, and what stands under a name. */
export interface RecordRules {
  readonly text: Redactor
  /** @default as `text` */
  readonly key?: Redactor
  /** @default `isSecretName` */
  readonly isSecret?: IsSecret
}

/** A copy of a JSON value without credentials: what stands under the name of one at any depth, and what `text` takes out of texts and numbers. Keys and order stay. */
export function redactRecord (value: unknown, rules: RecordRules, name: string = ''): unknown {
  if (typeof value === 'string') return rules.text(value)
  if (Array.isArray(value)) return redactList(value, rules, name)
  if (typeof value === 'object' && value !== null) return redactFields(value, rules)
  // A secret of digits alone may be sent back as a number.
  const shown = rules.text(String(value))
  return shown === String(value) ? value : shown
}

function redactFields (record: object, rules: RecordRules): object {
  const { key: redactKey = rules.text, isSecret = isSecretName } = rules
  const entries = Object.entries(record)
  // `{ name: 'authorization', value: '…' }`, as some clients keep headers.
  const named = entries.some(([key, value]) => /^(?:name|key|header)$/i.test(key) && typeof value === 'string' && isSecret(value))
  return Object.fromEntries(entries.map(([key, value]) => [redactKey(key), isSecret(key) || (named && key === 'value') ? hide(value, key) : redactRecord(value, rules, key)]))
}

/** Headers as Node keeps them raw: names and values by turns, or in pairs. */
function redactList (list: readonly unknown[], rules: RecordRules, name: string): unknown[] {
  const { isSecret = isSecretName } = rules
  const isHeaders = /headers$/i.test(name)
  return list.map((value, index) => {
    const before: unknown = list[index - 1]
    return isHeaders && index % 2 === 1 && typeof before === 'string' && isSecret(before) ? hide(value, before) : redactRecord(value, rules, name)
  })
}

/** Nothing, yes and no are no credentials, and say much; of a field that only its author calls secret they are not shown either. */
function hide (value: unknown, name: string): unknown {
  if (value === null || value === '') return value
  return typeof value === 'boolean' && isSecretName(name) ? value : REDACTED
}
