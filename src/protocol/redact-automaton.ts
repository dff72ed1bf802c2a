import type { Form } from './redact-forms.js'

/** Looks for forms in a text, and tells where one begins and what is taken out with it ends. */
export type Search = (text: string, found: (from: number, to: number) => void) => void

// Who chooses the values cannot choose where they fall in the table.
const SALT = Math.trunc(Math.random() * 2 ** 31)

/**
 * The automaton of Aho and Corasick: all forms in one pass, in time that is linear whatever the forms and the text are.
 * A node is a number; 0 is the root, and stands for none where a child is meant.
 */
export function createAutomaton (forms: readonly Form[]): Search {
  const trie = new Trie(forms.reduce((sum, { text }) => sum + text.length, 1))
  for (const form of forms) trie.add(form)
  trie.link()
  return (text, found) => trie.search(text, found)
}

class Trie {
  #size = 1
  readonly #parent: Int32Array
  readonly #unit: Uint16Array
  readonly #firstChild: Int32Array
  readonly #sibling: Int32Array
  /** The node of the longest end of what was read that begins a form too. */
  readonly #fail: Int32Array
  /** Of the forms that end here, the length of the longest, and how far what is taken out goes on. */
  readonly #longest: Int32Array
  readonly #beyond: Int32Array
  /** Children by parent and unit. */
  readonly #slots: Int32Array

  constructor (nodes: number) {
    const list = (): Int32Array => new Int32Array(nodes)
    this.#unit = new Uint16Array(nodes)
    this.#parent = list()
    this.#firstChild = list()
    this.#sibling = list()
    this.#fail = list()
    this.#longest = list()
    this.#beyond = list()
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(nodes * 2)))
  }

  add ({ text, reach }: Form): void {
    let node = 0
    for (let at = 0; at < text.length; at++) node = this.#childOrNew(node, text.charCodeAt(at))
    this.#longest[node] = text.length
    this.#beyond[node] = Math.max(this.#beyond[node]!, reach - text.length)
  }

  #slotOf (node: number, unit: number): number {
    let hash = Math.imul(node ^ SALT, 0x9e3779b1) ^ Math.imul(unit + 1, 0x85ebca6b)
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
    const mask = this.#slots.length - 1
    let slot = (hash ^ (hash >>> 13)) & mask
    for (let child = this.#slots[slot]!; child !== 0 && (this.#parent[child] !== node || this.#unit[child] !== unit); child = this.#slots[slot]!) slot = (slot + 1) & mask
    return slot
  }

  #childOrNew (node: number, unit: number): number {
    const slot = this.#slotOf(node, unit)
    if (this.#slots[slot] !== 0) return this.#slots[slot]!
    const child = this.#size++
    this.#slots[slot] = child
    this.#parent[child] = node
    this.#unit[child] = unit
    this.#sibling[child] = this.#firstChild[node]!
    this.#firstChild[node] = child
    return child
  }

  /** Level by level: what a node falls back to is shorter. */
  link (): void {
    const queue = new Int32Array(this.#size)
    let queued = 1
    for (let done = 0; done < queued; done++) {
      const node = queue[done]!
      for (let child = this.#firstChild[node]!; child !== 0; child = this.#sibling[child]!) {
        queue[queued++] = child
        const fail = node === 0 ? 0 : this.#next(this.#fail[node]!, this.#unit[child]!)
        this.#fail[child] = fail
        this.#longest[child] ||= this.#longest[fail]!
        this.#beyond[child] = Math.max(this.#beyond[child]!, this.#beyond[fail]!)
      }
    }
  }

  #next (from: number, unit: number): number {
    let node = from
    let child = this.#slots[this.#slotOf(node, unit)]!
    while (child === 0 && node !== 0) {
      node = this.#fail[node]!
      child = this.#slots[this.#slotOf(node, unit)]!
    }
    return child
  }

  search (text: string, found: (from: number, to: number) => void): void {
    let node = 0
    for (let at = 0; at < text.length; at++) {
      node = this.#next(node, text.charCodeAt(at))
      if (this.#longest[node] !== 0) found(at + 1 - this.#longest[node]!, at + 1 + this.#beyond[node]!)
    }
  }
}
