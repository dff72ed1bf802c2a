import { runInNewContext } from 'node:vm'
import t from 'tap'
import { encodeJson } from '../../../src/protocol/json.js'

t.test('what JSON can say is said', async t => {
  for (const value of [null, true, 0, -1.5, '', 'a"\n', [], {}, [null, 1], { a: { b: null } }, { text: 'null' }]) {
    t.strictSame(encodeJson(value), { text: JSON.stringify(value) })
  }
  t.strictSame(encodeJson(new Date(0)), { text: '"1970-01-01T00:00:00.000Z"' })
  t.strictSame(encodeJson({ a: undefined, b: null }), { text: '{"b":null}' }, 'a key that holds undefined is not there')
  t.strictSame(encodeJson(-0), { text: '0' })
})

t.test('what JSON cannot say is a problem', async t => {
  t.strictSame(encodeJson(undefined), { problem: 'There is no JSON for undefined.' })
  t.strictSame(encodeJson(() => 1), { problem: 'There is no JSON for function.' })
  t.strictSame(encodeJson(Symbol('x')), { problem: 'There is no JSON for symbol.' })
  t.match(encodeJson({ a: 1n }), { problem: /BigInt/ })
  const cycle: Record<string, unknown> = {}
  cycle.deep = { cycle }
  t.strictSame(encodeJson(cycle), { problem: 'Converting circular structure to JSON' }, 'one line, no drawing')
})

t.test('a number that JSON would turn into null is a problem, with its path', async t => {
  t.strictSame(encodeJson(NaN), { problem: '$ is not a finite number.' })
  t.strictSame(encodeJson({ days: [{ low: 1 }, { low: null, high: NaN }] }), { problem: '$.days[1].high is not a finite number.' })
  t.strictSame(encodeJson([1, [Infinity, NaN]]), { problem: '$[1][0] is not a finite number.' }, 'the first of them')
  t.strictSame(encodeJson({ a: -Infinity }), { problem: '$.a is not a finite number.' })
  t.strictSame(encodeJson({ '': NaN }), { problem: '$. is not a finite number.' })
  const shared = { n: NaN }
  t.strictSame(encodeJson({ a: { toJSON: () => null }, b: shared, c: shared }), { problem: '$.b.n is not a finite number.' })
})

t.test('a date that is none is a problem', async t => {
  t.strictSame(encodeJson({ at: new Date(NaN) }), { problem: '$.at is not a valid date.' })
  t.strictSame(encodeJson([new Date(NaN), NaN]), { problem: '$[0] is not a valid date.' })
})

t.test('an object of which JSON would keep nothing is a problem', async t => {
  const emptied = [new Map([[1, 2]]), new Set([1]), new WeakMap(), new Error('x'), new TypeError('x'), Promise.resolve(1), /x/, new URLSearchParams('a=1'), new Headers(), new ArrayBuffer(8)]
  for (const value of emptied) t.match(encodeJson({ rows: value }), { problem: /^\$\.rows is an? \w+, of which JSON keeps nothing\.$/ })
  t.strictSame(encodeJson({ rows: new Map() }), { problem: '$.rows is a Map, of which JSON keeps nothing.' })
  t.strictSame(encodeJson([{ a: new Error('x') }]), { problem: '$[0].a is an Error, of which JSON keeps nothing.' })
  t.strictSame(encodeJson(Promise.resolve(1)), { problem: '$ is a Promise, of which JSON keeps nothing.' }, 'a forgotten await')
  class Rows { #rows = [1]; get first () { return this.#rows[0] } }
  t.strictSame(encodeJson(new Rows()), { problem: '$ is a Rows, of which JSON keeps nothing.' })
  t.strictSame(encodeJson(new (class {})()), { problem: '$ is an object of a class, of which JSON keeps nothing.' })
  const nameless = Object.create(Object.create(Object.prototype, { constructor: { value: 1 } }))
  t.strictSame(encodeJson(nameless), { problem: '$ is an object of a class, of which JSON keeps nothing.' })
  t.strictSame(encodeJson({ a: { toJSON: () => new Set() } }), { problem: '$.a is a Set, of which JSON keeps nothing.' })
})

t.test('objects that are empty, and classes with fields or a JSON of their own, are left alone', async t => {
  class Place { name = 'Oslo'; more = {} }
  class Nothing { toJSON () { return {} } }
  const values = [{}, { a: undefined }, Object.create(null), runInNewContext('({ a: {} })'), { a: '{}' }, new Place(), new Nothing(), new URL('http://a.b/{}'), { ...new Map([[1, 2]]) }]
  for (const value of values) t.strictSame(encodeJson({ value }), { text: JSON.stringify({ value }) })
})

t.test('an item that JSON would write as null is a problem', async t => {
  t.strictSame(encodeJson([null, undefined]), { problem: '$[1] is undefined, which JSON writes as null.' })
  t.strictSame(encodeJson({ rows: [() => 1] }), { problem: '$.rows[0] is a function, which JSON writes as null.' })
  t.strictSame(encodeJson([Symbol('x')]), { problem: '$[0] is a symbol, which JSON writes as null.' })
  t.strictSame(encodeJson(new Array(1)), { problem: '$[0] is undefined, which JSON writes as null.' }, 'a hole too')
  t.strictSame(encodeJson([{ toJSON: () => undefined }]), { problem: '$[0] is undefined, which JSON writes as null.' })
  t.strictSame(encodeJson([Object.assign(() => 1, { toJSON: () => null })]), { text: '[null]' })
  t.strictSame(encodeJson({ a: null, b: () => 1, c: undefined, d: Symbol('x'), e: [[1]] }), { text: '{"a":null,"e":[[1]]}' }, 'a field is left out')
})

t.test('toJSON is believed, asked as JSON asks, and may fail', async t => {
  t.strictSame(encodeJson({ a: { toJSON: () => null } }), { text: '{"a":null}' })
  t.strictSame(encodeJson({ a: { hidden: NaN, toJSON: () => ({ n: null }) } }), { text: '{"a":{"n":null}}' })
  t.strictSame(encodeJson({ a: { toJSON: () => ({ n: NaN }) } }), { problem: '$.a.n is not a finite number.' })
  t.strictSame(encodeJson({ toJSON: (key: string) => `key '${key}'` }), { text: '"key \'\'"' })
  class Endless { nothing = null; toJSON () { return new Endless() } }
  t.strictSame(encodeJson(new Endless()), { text: '{"nothing":null}' }, 'asked once, not until the stack ends')
  t.strictSame(encodeJson({ toJSON () { throw new Error('first line\nsecond line') } }), { problem: 'first line' })
  // eslint-disable-next-line no-throw-literal
  t.strictSame(encodeJson({ toJSON () { throw 'text' } }), { problem: 'A toJSON method threw something that is no error.' })
  let asked = 0
  t.strictSame(encodeJson({ n: null, toJSON () { if (asked++ > 0) throw new Error('asked twice'); return this } }), { problem: 'asked twice' }, 'never thrown')
  t.strictSame(encodeJson({ get a () { throw new Error('no getter') } }), { problem: 'no getter' })
})

t.test('a value nested too deep is a problem, not a crash', async t => {
  let deep: unknown = null
  for (let level = 0; level < 200_000; level++) deep = [deep]
  t.match(encodeJson(deep), { problem: /stack/ })
})
