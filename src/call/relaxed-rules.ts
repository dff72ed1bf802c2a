import { relaxed, type HonestyModes, type HonestyOptions, type HonestyRule, type HonestyMode } from '../capability/honesty-rules.js'

/** How strictly the successes of a capability are checked; without a name where not everybody may know of it. */
export interface CapabilityRules {
  readonly name: string | undefined
  readonly modes: HonestyModes
}

/** The rules that are not `refuse`: people must see that a service does not check everything. */
export interface RelaxedRules {
  /** By capability. */
  honesty?: Record<string, HonestyOptions>
  /** Of those that are not named: how many, by rule and mode. */
  honesty_unnamed?: Partial<Record<HonestyRule, Partial<Record<HonestyMode, number>>>>
}

/** What `/health` shows of the rules of all capabilities; nothing where all refuse. */
export function relaxedRules (all: readonly CapabilityRules[]): RelaxedRules {
  const named: NonNullable<RelaxedRules['honesty']> = {}
  const unnamed: NonNullable<RelaxedRules['honesty_unnamed']> = {}
  for (const { name, modes } of all) {
    const rules = Object.entries(relaxed(modes)) as Array<[HonestyRule, HonestyMode]>
    if (rules.length > 0 && name !== undefined) named[name] = Object.fromEntries(rules)
    else for (const [rule, mode] of rules) unnamed[rule] = { ...unnamed[rule], [mode]: (unnamed[rule]?.[mode] ?? 0) + 1 }
  }
  return {
    ...Object.keys(named).length > 0 && { honesty: named },
    ...Object.keys(unnamed).length > 0 && { honesty_unnamed: unnamed }
  }
}
