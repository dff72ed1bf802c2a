import { createAutomaton, type Search } from './redact-automaton.js'
import type { Form } from './redact-forms.js'

/** As many are looked for one by one, natively. */
const FEW = 32
/** Up to here the native search takes linear time, whatever the text is. */
const SHORT = 200

/** A search for forms, in linear time. It is prepared at its first use. */
export function createSearch (forms: readonly Form[]): Search {
  const heads = forms.map(({ text }) => text.slice(0, SHORT))
  const isFew = forms.length <= FEW
  const isShort = forms.every(({ text }) => text.length <= SHORT)
  let automaton: Search | undefined
  return (text, found) => {
    // Nearly always there is nothing.
    if (isFew && !heads.some(head => text.includes(head))) return
    if (isFew && isShort) return searchEach(forms, text, found)
    automaton ??= createAutomaton(forms)
    automaton(text, found)
  }
}

function searchEach (forms: readonly Form[], text: string, found: (from: number, to: number) => void): void {
  for (const { text: form, reach } of forms) {
    for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + form.length)) found(at, at + reach)
  }
}

/** Places of a text that are taken out. */
export class Spans {
  readonly #spans: Array<[from: number, to: number]> = []

  /** Most are told in the order of their ends: what overlaps the last becomes one with it. */
  add (from: number, to: number): void {
    const last = this.#spans.at(-1)
    if (last === undefined || from >= last[1] || to <= last[0]) this.#spans.push([from, to])
    else { last[0] = Math.min(last[0], from); last[1] = Math.max(last[1], to) }
  }

  replaceIn (text: string, replacement: string): string {
    if (this.#spans.length === 0) return text
    const parts: string[] = []
    let done = 0
    let isOpen = false
    for (const [from, to] of this.#spans.sort(([a], [b]) => a - b)) {
      if (from >= done || !isOpen) parts.push(text.slice(done, from), replacement)
      isOpen = true
      done = Math.max(done, to)
    }
    return parts.join('') + text.slice(done)
  }
}
