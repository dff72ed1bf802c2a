import vm from 'node:vm'
import t from 'tap'
import { attempt, chainOf, get, getText, isPlain, itemsOf, linksOf, namesOf, textOf } from '../../../src/upstream/evidence.js'

const throwing = new Proxy({}, { get () { throw new Error('no') }, getPrototypeOf () { throw new Error('no') } })
const { proxy: revoked, revoke } = Proxy.revocable({}, {})
revoke()

t.test('a property of anything can be read, and a getter that throws counts as absent', async t => {
  t.equal(get({ a: 1 }, 'a'), 1)
  t.equal(get(() => {}, 'length'), 0)
  for (const value of [null, undefined, 'text', 7, Symbol('s'), throwing, revoked]) t.equal(get(value, 'length'), undefined)
  t.equal(getText({ a: 'x' }, 'a'), 'x')
  t.equal(getText({ a: 1 }, 'a'), undefined)
  t.equal(attempt(() => { throw new Error('no') }), undefined)
})

t.test('an object with nothing but fields is told from a class, of whatever realm', async t => {
  for (const value of [{}, Object.create(null), vm.runInNewContext('({ a: 1 })')]) t.equal(isPlain(value), true)
  for (const value of [null, undefined, 'x', [], new Date(), new Map(), () => {}, throwing, revoked]) t.equal(isPlain(value), false)
})

t.test('of a list only the first items are read', async t => {
  t.strictSame(itemsOf([1, 2, 3], 2), [1, 2])
  t.strictSame(itemsOf([1], 5), [1])
  for (const value of [undefined, 'abc', { length: 3 }, revoked]) t.strictSame(itemsOf(value, 5), [])
})

t.test('a chain is followed through causes and children, outermost first', async t => {
  const error = new Error('outer', { cause: new AggregateError([new Error('a'), new Error('b', { cause: 'deep' })], '') })
  t.strictSame(linksOf(chainOf(error)).map(({ value }) => textOf(value)), ['outer', '', 'a', 'b', 'deep'])
})

t.test('cycles end', async t => {
  const self: Error & { errors?: unknown[] } = new Error('x')
  self.cause = self
  self.errors = [self, self]
  t.equal(linksOf(chainOf(self)).length, 1)
  const [a, b] = [new Error('a'), new Error('b')]
  a.cause = b
  b.cause = a
  t.equal(linksOf(chainOf(a)).length, 2)
  const twice = new Error('twice')
  t.equal(linksOf(chainOf({ cause: { cause: twice }, errors: [twice, { cause: twice }] })).length, 4)
})

t.test('eight levels below the first are read, and no more', async t => {
  const nested = (levels: number): unknown => levels === 0 ? 'end' : { cause: nested(levels - 1) }
  const deep = linksOf(chainOf(nested(8)))
  t.equal(deep.length, 9)
  t.equal(deep.some(({ cut }) => cut), false)
  const deeper = linksOf(chainOf(nested(9)))
  t.equal(deeper.length, 9)
  t.equal(deeper.some(({ cut }) => cut), true)
})

t.test('a very broad chain is cut, and says so', async t => {
  t.equal(chainOf({ errors: Array.from({ length: 17 }, () => ({})) }).cut, true)
  t.equal(chainOf({ errors: Array.from({ length: 16 }, () => ({})) }).cut, false)
  const bushy = (levels: number): unknown => levels === 0 ? {} : { errors: Array.from({ length: 10 }, () => bushy(levels - 1)) }
  const links = linksOf(chainOf(bushy(3)))
  t.ok(links.length <= 32)
  t.ok(links.some(({ cut }) => cut))
})

t.test('names are those of the value and of its class', async t => {
  class APIConnectionTimeoutError extends Error {}
  t.strictSame(namesOf(new APIConnectionTimeoutError()), ['Error', 'APIConnectionTimeoutError'])
  t.strictSame(namesOf(Object.create(null)), [])
  t.strictSame(namesOf({ name: 7 }), ['Object'])
})

t.test('the text of a failure is its message or the thrown string, and not all of a long one', async t => {
  t.equal(textOf('boom'), 'boom')
  t.equal(textOf(new Error('boom')), 'boom')
  t.equal(textOf(null), '')
  t.equal(textOf('x'.repeat(5_000)).length, 2_000)
})
