/** One variable: what it is unless set, what it must be, and how its text is read (`undefined` where it cannot be). */
export interface Setting<T> {
  readonly fallback: T
  readonly expected: string
  readonly read: (text: string) => T | undefined
}

/** Variables by their names. */
export type SettingsSpec = Readonly<Record<string, Setting<unknown>>>

/** What the variables of a spec say. */
export type Settings<S extends SettingsSpec> = { -readonly [name in keyof S]: S[name]['fallback'] }

/** An environment, as `process.env` is one. */
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the variables of `spec` out of `env`: all of them, before anything is done with one.
 * Throws an error with one line for each mistake. What is set and empty is a mistake, not a default.
 */
export function readSettings<S extends SettingsSpec> (spec: S, env: Environment): Settings<S> {
  const mistakes: string[] = []
  const entries = Object.entries(spec).map(([name, { fallback, expected, read }]) => {
    const text = env[name]
    if (text === undefined) return [name, fallback]
    const value = read(text)
    if (value === undefined) mistakes.push(`Expected ${name} to be ${expected}, got '${shown(text)}'.`)
    return [name, value]
  })
  if (mistakes.length > 0) throw new Error(mistakes.join('\n'))
  return Object.fromEntries(entries)
}

/** A line for a person, whatever was set. A URL's user and query may be secrets. */
function shown (text: string): string {
  const plain = text.replace(/\/\/[^/@]*@/, '//…@').replace(/\?.*$/s, '?…').replace(/[\p{Cc}\s]+/gu, ' ')
  return plain.length > 100 ? `${plain.slice(0, 100)}…` : plain
}

/** A TCP port; 0 takes a free one. */
export function port (fallback: number): Setting<number> {
  return { fallback, expected: 'a whole number from 0 to 65535', read: text => wholeNumber(text, 0, 65_535) }
}

/** The address to listen on: only this machine's own unless set. */
export const host: Setting<string> = {
  fallback: '127.0.0.1',
  expected: 'a host name or an IP address',
  read: text => /^[\w.:-]+$/.test(text) ? text : undefined
}

/** Where a server is to be found: an absolute URL that HTTP can reach. */
export function url<T extends string | undefined = string> (fallback: T): Setting<T | string> {
  return { fallback, expected: 'an absolute http: or https: URL without a #fragment', read: text => isHttpUrl(text) ? text : undefined }
}

/** A time in milliseconds; 2^31 and above would end at once. */
export function milliseconds (fallback: number): Setting<number> {
  return { fallback, expected: 'a whole number of milliseconds from 1 to 2147483647', read: text => wholeNumber(text, 1, 2 ** 31 - 1) }
}

/** A switch, off unless set. */
export const flag: Setting<boolean> = {
  fallback: false,
  expected: 'true or false',
  read: text => text === 'true' ? true : text === 'false' ? false : undefined
}

function wholeNumber (text: string, least: number, most: number): number | undefined {
  // No +5, 5.0, 5e3, 0x5 or blanks: what is written is what is meant.
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  return value >= least && value <= most ? value : undefined
}

function isHttpUrl (text: string): boolean {
  if (text !== text.trim() || !URL.canParse(text)) return false
  const { protocol, hash } = new URL(text)
  return (protocol === 'http:' || protocol === 'https:') && hash === ''
}
