import type { Capability } from '../capability/define.js'
import { createRedactor, MIN_SECRET_LENGTH, type Redactor } from '../protocol/redact.js'
import { createSensitiveSearch, type SensitiveValue } from '../schema/sensitive-values.js'
import { keepUnlogged } from './secrets.js'

/** The sensitive values of one call: out of the log of the whole process until they are released. */
export interface SensitiveInput {
  /** Takes them out of what this call says of its failure. */
  readonly redact: Redactor
  /** The handler has ended: a turn later, when what became of the call is written down, the log may hold them again. */
  release (): void
}

/** Keeps the sensitive values of an input; `undefined` where it has none. */
export type KeepSensitive = (input: unknown) => SensitiveInput | undefined

/** For one capability. Its schema is looked through at the first call; one without `x-candor-sensitive` fields costs nothing after that. */
export function createSensitiveKeeper ({ input: schema }: Pick<Capability, 'input'>): KeepSensitive {
  let search: ReturnType<typeof createSensitiveSearch> | null = null
  return input => {
    if (search === null) search = createSensitiveSearch(schema)
    const found = search?.(input) ?? []
    return found.length === 0 ? undefined : keep(found)
  }
}

function keep (found: readonly SensitiveValue[]): SensitiveInput {
  const isSearchable = ({ value }: SensitiveValue): boolean => typeof value !== 'boolean' && String(value).length >= MIN_SECRET_LENGTH
  const redact = redactorFor(new Set(found.filter(isSearchable).map(({ value }) => String(value))))
  const names = new Set(found.filter(one => !isSearchable(one) && one.name !== '').map(({ name }) => name.toLowerCase()))
  const forget = keepUnlogged({ redact, names })
  return { redact, release: () => { setImmediate(forget) } }
}

/** As many characters are looked for in every spelling, the shortest values first; what is beyond, as it is and escaped. */
const MAX_SPELLED = 4_096

function redactorFor (values: ReadonlySet<string>): Redactor {
  let room = MAX_SPELLED
  const isSpelled = (value: string): boolean => (room -= value.length) >= 0
  const sorted = [...values].sort((a, b) => a.length - b.length)
  const first = sorted.findIndex(value => !isSpelled(value))
  const end = first === -1 ? sorted.length : first
  return createRedactor(sorted.slice(0, end), { briefly: sorted.slice(end) })
}
