import { describeOption } from '../schema/describe-option.js'

/** The rules by which a success is checked before it is claimed; `docs/guide/honest-success.md` has them one by one. */
export const honestyRules = ['masked-failure', 'evidence', 'mock-marker', 'output-schema', 'no-result'] as const
export type HonestyRule = typeof honestyRules[number]

/** What a broken rule does: the success is refused; or it stands, with a warning in `meta.warnings` and in the log; or nothing. */
export type HonestyMode = 'refuse' | 'warn' | 'off'
const MODES: readonly unknown[] = ['refuse', 'warn', 'off']

/** Rules that are not `refuse`, of a service or of one capability; a capability's own counts. */
export type HonestyOptions = Readonly<Partial<Record<HonestyRule, HonestyMode>>>
export type HonestyModes = Readonly<Record<HonestyRule, HonestyMode>>

/** The mode of every rule: what the last of the given options says, else `refuse`. */
export function modesOf (...options: ReadonlyArray<HonestyOptions | undefined>): HonestyModes {
  // Most say nothing, and share what that means.
  if (options.every(given => given === undefined || Object.keys(given).length === 0)) return ALL_REFUSE
  const modeOf = (rule: HonestyRule): HonestyMode => options.findLast(given => given?.[rule] !== undefined)?.[rule] ?? 'refuse'
  return Object.fromEntries(honestyRules.map(rule => [rule, modeOf(rule)])) as HonestyModes
}

const ALL_REFUSE = Object.freeze(Object.fromEntries(honestyRules.map(rule => [rule, 'refuse']))) as HonestyModes

/** The rules that are not `refuse`, for whoever must see that a service does not check everything. */
export function relaxed (modes: HonestyModes): HonestyOptions {
  return Object.fromEntries(honestyRules.filter(rule => modes[rule] !== 'refuse').map(rule => [rule, modes[rule]]))
}

/** What is wrong with `honesty`, each as the end of a sentence that begins with "expected". */
export function mistakesInHonesty (given: unknown): string[] {
  if (given === undefined) return []
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return ['`honesty` to be an object of rules.']
  return Object.entries(given).flatMap(([rule, mode]) => {
    if (!honestyRules.some(known => known === rule)) return [`\`honesty\` to have only known rules (${honestyRules.join(', ')}), got \`${rule}\`.`]
    return mode === undefined || MODES.includes(mode) ? [] : [`\`honesty['${rule}']\` to be 'refuse', 'warn' or 'off', got ${describeOption(mode)}.`]
  })
}
