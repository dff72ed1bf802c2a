import t from 'tap'
import { ForeignExchange } from '../../../src/upstream/foreign-exchange.js'
import { observeHandler } from '../../../src/upstream/observed-handler.js'
import { currentObserver, unobserved } from '../../../src/upstream/observer.js'
import { fakeCall } from '../../fixtures/observing.js'

type Handler = Record<string, (...args: never[]) => unknown>

/** A handler under watch, and a way to call it as a dispatcher does, on behalf of nobody. */
function watched (handler: object) {
  const call = fakeCall()
  const record = new ForeignExchange(call, 'GET', { origin: 'http://bank', path: '/' })
  const seen = observeHandler(call, record, handler) as Handler
  return { call, exchange: record.exchange, seen, tell: (name: string, ...args: unknown[]): unknown => unobserved(() => seen[name]!(...args as never[])) }
}

/** Says for each of its calls on whose behalf it was. */
function steering () {
  const calls: unknown[] = []
  const note = (name: string) => (...args: unknown[]) => { calls.push([name, currentObserver(), ...args]) }
  return { calls, controller: { paused: true, rawHeaders: null, pause: note('pause'), resume: note('resume'), abort: note('abort') } }
}

const OLD = ['onConnect', 'onHeaders', 'onData', 'onComplete', 'onError', 'onUpgrade']
const NEW = ['onRequestStart', 'onResponseStart', 'onResponseData', 'onResponseEnd', 'onResponseError', 'onRequestUpgrade']

for (const [generation, names] of Object.entries({ older: OLD, newer: NEW })) {
  t.test(`the callbacks of a handler of the ${generation} generation run on behalf of its call, with what they return`, async t => {
    const handler = Object.fromEntries(names.map(name => [name, function (this: unknown, ...args: unknown[]) { return [this === handler, currentObserver(), args.length] }]))
    const { call, tell, seen } = watched(handler)
    for (const name of names) t.same(tell(name, undefined, 2, 3), [true, call, 3])
    t.equal((seen as { other?: unknown }).other, undefined)
  })
}

t.test('an exchange is complete before its handler hears of the end', async t => {
  const at: unknown[] = []
  const { exchange, tell } = watched({ onConnect () {}, onHeaders () {}, onComplete () { at.push(exchange.success) }, onError () {} })
  tell('onConnect', () => {})
  t.match(exchange, { sent: true, phase: 'headers' })
  tell('onHeaders', 200, [Buffer.from('a'), Buffer.from('b')], () => {})
  t.match(exchange, { status: 200, phase: 'body' })
  tell('onComplete', [])
  t.same(at, [true])
})

t.test('a handler that wants to know nothing of the answer has its exchange completed all the same', async t => {
  const { exchange, tell } = watched({ onRequestStart () {} })
  tell('onRequestStart', {})
  tell('onResponseStart', {}, 200, {})
  tell('onResponseEnd', {}, {})
  t.match(exchange, { success: true })
})

t.test('an upgrade leaves its exchange open', async t => {
  for (const [name, args] of [['onUpgrade', [101, [], {}]], ['onRequestUpgrade', [{}, 101, {}, {}]]] as const) {
    const { exchange, tell } = watched({ [name] () {} })
    tell(name, ...args)
    t.match(exchange, { status: 101, endedAt: undefined })
  }
})

t.test('what a handler does to its connection is done on behalf of nobody', async t => {
  const { calls, controller } = steering()
  const kept: Array<typeof controller> = []
  const { call, tell } = watched({ onRequestStart (one: typeof controller) { kept.push(one) }, onResponseStart (one: typeof controller) { kept.push(one) } })
  tell('onRequestStart', controller)
  tell('onResponseStart', controller, 200, {})
  t.equal(kept[0], kept[1])
  t.equal(kept[0]!.paused, true)
  Object.assign(kept[0]!, { rawHeaders: [] })
  t.same(controller.rawHeaders, [])
  call.run(() => { kept[0]!.pause(); kept[0]!.resume(); kept[0]!.abort('x') })
  t.same(calls, [['pause', undefined], ['resume', undefined], ['abort', undefined, 'x']])
})

t.test('a handler of the older generation pauses and aborts on behalf of nobody too', async t => {
  const { calls, controller } = steering()
  const kept: Array<(reason?: unknown) => void> = []
  const { call, tell } = watched({ onConnect (abort: () => void) { kept.push(abort) }, onHeaders (_: unknown, __: unknown, resume: () => void) { kept.push(resume) } })
  tell('onConnect', controller.abort)
  tell('onHeaders', 200, [], controller.resume)
  call.run(() => { for (const one of kept) one('x') })
  t.same(calls, [['abort', undefined, 'x'], ['resume', undefined]])
})

t.test('a request that its handler aborts is given up, and was not sent if that was at its start', async t => {
  const early = watched({ onRequestStart ({ abort }: { abort: (reason: unknown) => void }) { abort('x') }, onResponseError () {} })
  early.tell('onRequestStart', { abort () {} })
  early.tell('onResponseError', {}, 'x')
  t.match(early.exchange, { sent: false, abandoned: true, error: 'x', failure: undefined })
  const late = watched({ onConnect (abort: (reason: unknown) => void) { setTimeout(abort, 1, new Error('Enough.')) }, onError () {} })
  const error = new Error('Enough.')
  await new Promise<void>(resolve => { late.tell('onConnect', () => resolve()) })
  late.tell('onError', error)
  t.match(late.exchange, { sent: true, abandoned: true })
  t.equal(late.exchange.error, error)
})

t.test('a handler that aborts because its time ran out has a failed exchange', async t => {
  const reason = new DOMException('Too late.', 'TimeoutError')
  for (const [said, handler] of [[reason, {}], [Object.assign(new Error('Aborted.'), { code: 'UND_ERR_ABORTED' }), { reason }]] as const) {
    const { exchange, tell } = watched({ ...handler, onConnect (abort: () => void) { abort() }, onError () {} })
    tell('onConnect', () => {})
    tell('onError', said)
    t.match(exchange, { abandoned: undefined, failure: { code: 'UPSTREAM_TIMEOUT' } })
    t.equal(exchange.error, reason)
  }
})

t.test('a handler that throws has given up', async t => {
  const error = new Error('Mine.')
  const { exchange, tell } = watched({ onHeaders () { throw error }, onError () {} })
  t.throws(() => tell('onHeaders', 200, [], () => {}), error)
  tell('onError', error)
  t.match(exchange, { abandoned: true, status: 200 })
})

t.test('what nobody aborted has failed', async t => {
  const { exchange, tell } = watched({ onRequestStart () {}, onResponseError () {} })
  tell('onResponseError', undefined, Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }))
  t.match(exchange, { sent: false, failure: { code: 'UPSTREAM_UNREACHABLE' } })
})
