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
