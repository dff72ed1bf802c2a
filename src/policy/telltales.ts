import type { MockMarker } from './mock-markers.js'

/** What gives data away at one place. */
export interface Telling {
  /** The values that tell, texts in their shortest form. */
  readonly samples: ReadonlyArray<string | number | boolean>
  readonly tells: (value: unknown) => boolean
}

/** A list of markers, ready to be looked up. */
export interface Telltales {
  /** A text that tells by what it contains, whatever the field. */
  readonly text: Telling
  /** All values of all fields, for a field that only the data names. */
  readonly any: Telling
  readonly ofKey: (key: string) => Telling | undefined
  /** From where on a text tells; the text itself where it tells as a whole. */
  readonly excerpt: (text: string) => string
}

/** Of a longer text only the beginning is read. */
const MAX_READ = 4_000

/** Markers, and texts that tell anywhere, in a form in which spelling does not matter. */
export function createTelltales (markers: readonly MockMarker[], texts: readonly string[]): Telltales {
  const pattern = new RegExp(texts.map(text => text.replaceAll(' ', '\\s+')).join('|'), 'i')
  const byKey = new Map<string, Set<string | number | boolean>>()
  for (const { key, values } of markers) byKey.set(foldKey(key), new Set([...byKey.get(foldKey(key)) ?? [], ...values.map(fold)]))
  const tellings = new Map([...byKey].map(([key, values]) => [key, oneOf(values)]))
  return {
    text: { samples: texts, tells: value => typeof value === 'string' && pattern.test(beginning(value)) },
    any: oneOf(new Set([...byKey.values()].flatMap(values => [...values]))),
    ofKey: key => tellings.get(foldKey(key)),
    excerpt: text => text.slice(pattern.exec(beginning(text))?.index)
  }
}

function oneOf (values: ReadonlySet<unknown>): Telling {
  return { samples: [...values] as Telling['samples'], tells: value => values.has(fold(value)) }
}

/** `mock-data`, `Mock_Data` and ` mock data ` are one. */
function fold<T> (value: T): T | string {
  return typeof value === 'string' ? beginning(value).trim().toLowerCase().replace(/[\s_-]+/g, ' ') : value
}

/** `is_mock`, `isMock`, `is-mock` and `_is_mock` are one. */
function foldKey (key: string): string {
  return beginning(key).toLowerCase().replace(/[\s_-]+/g, '')
}

function beginning (text: string): string {
  return text.length > MAX_READ ? text.slice(0, MAX_READ) : text
}
