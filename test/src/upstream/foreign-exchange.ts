import t from 'tap'
import { ForeignExchange, targetOf } from '../../../src/upstream/foreign-exchange.js'
import { fakeCall } from '../../fixtures/observing.js'

const ORIGIN = 'http://bank:81'
const call = () => fakeCall({ [ORIGIN]: { label: 'bank', declared: true, simulated: true } })
const begin = (method = 'GET', target = { origin: ORIGIN, path: '/pay?x=1' }): ForeignExchange => new ForeignExchange(call(), method, target)
const refused = (): Error => Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
const reset = (): Error => Object.assign(new Error('read'), { code: 'ECONNRESET' })

t.test('an exchange is told at its beginning, under the label of its upstream', async t => {
  const observer = call()
  const { exchange, ended } = new ForeignExchange(observer, 'POST', { origin: ORIGIN, path: '/pay?x=1' })
  t.equal(observer.exchanges[0], exchange)
  t.match(exchange, { upstream: 'bank', declared: true, origin: ORIGIN, method: 'POST', path: '/pay?x=1', effect: 'write', sent: false, phase: 'connect', complete: false, success: false, foreign: true, startedAt: Number })
  t.equal(exchange.ownerUncertain, undefined)
  t.notOk(ended)
  t.equal(new ForeignExchange(call(), 'GET', { origin: ORIGIN, path: '/' }, true).exchange.ownerUncertain, true)
})

t.test('an exchange with anybody else has no label', async t => {
  t.match(begin('HEAD', { origin: 'http://else', path: '/' }).exchange, { upstream: 'unlabelled', declared: false, effect: 'read' })
  for (const method of ['GET', 'OPTIONS']) t.equal(begin(method).exchange.effect, 'read')
  for (const method of ['PUT', 'DELETE', 'PROPFIND', 'get']) t.equal(begin(method).exchange.effect, 'write')
})

t.test('an exchange that goes elsewhere has the label of that', async t => {
  const record = begin('GET', { origin: 'http://bank', path: '/' })
  t.equal(record.exchange.upstream, 'unlabelled')
  record.relocate({ origin: 'http://bank', path: '/' })
  record.relocate({ origin: ORIGIN, path: '/' })
  t.match(record.exchange, { upstream: 'bank', declared: true, origin: ORIGIN })
})

t.test('an answer that is read to its end is a success', async t => {
  const record = begin()
  record.begun()
  t.match(record.exchange, { sent: true, phase: 'headers' })
  record.answered(103, {})
  t.match(record.exchange, { status: undefined, phase: 'headers' })
  record.answered(200, { 'content-length': '5' })
  record.begun()
  t.match(record.exchange, { status: 200, phase: 'body', success: false, endedAt: undefined })
  record.completed()
  t.match(record.exchange, { success: true, complete: true, endedAt: Number, simulated: undefined })
  record.failed(reset())
  record.answered(500, {})
  record.begun()
  t.match(record.exchange, { success: true, status: 200, failure: undefined, error: undefined, phase: 'body' })
})

t.test('an answer without a body is a success at once', async t => {
  for (const [method, status, headers] of [['HEAD', 200, {}], ['GET', 204, {}], ['GET', 304, {}], ['PUT', 200, { 'Content-Length': '0' }]] as const) {
    const record = begin(method)
    record.answered(status, headers)
    t.match(record.exchange, { success: true, complete: true, sent: true, endedAt: Number })
  }
})

t.test('any other status is a failure as soon as it is there, however its body ends', async t => {
  const record = begin('POST')
  record.answered(503, { 'retry-after': '7' })
  t.match(record.exchange, { success: false, status: 503, complete: false, endedAt: Number, failure: { code: 'UPSTREAM_UNAVAILABLE', retryAfterMs: 7_000, details: { upstream: 'bank', upstream_status: 503 } } })
  t.equal(record.exchange.failure?.details.outcome, undefined)
  const error = reset()
  record.failed(error)
  record.givenUp(new Error('Later.'))
  t.match(record.exchange, { failure: { code: 'UPSTREAM_UNAVAILABLE' }, abandoned: undefined })
  t.equal(record.exchange.error, error)
  record.completed()
  t.match(record.exchange, { complete: true, success: false })
})

t.test('a redirect says where it points, without what only a browser has', async t => {
  const located = (status: number, headers: object): string | undefined => {
    const record = begin()
    record.answered(status, headers)
    return record.exchange.location
  }
  t.equal(located(302, { location: '../next?y=2#there' }), `${ORIGIN}/next?y=2`)
  t.equal(located(301, [['Location', 'https://user:word@else/x']]), 'https://else/x')
  t.equal(located(302, {}), undefined)
  t.equal(located(302, { location: 'http://' }), undefined)
  t.equal(located(404, { location: '/next' }), undefined)
})

t.test('a stand-in is believed only where it is configured as one', async t => {
  const record = begin()
  record.answered(200, { 'x-candor-simulated': 'true' })
  t.equal(record.exchange.simulated, true)
  for (const other of [begin('GET', { origin: 'http://else', path: '/' }), begin()]) {
    other.answered(200, { 'x-candor-simulated': other.exchange.declared ? 'yes' : 'true' })
    t.equal(other.exchange.simulated, undefined)
  }
})

t.test('after an upgrade that was asked for the exchange stays open', async t => {
  const record = begin()
  record.answered(101, {})
  record.completed()
  t.match(record.exchange, { status: 101, sent: true, success: false, endedAt: undefined })
  const unasked = begin()
  unasked.answered(101, {}, false)
  t.match(unasked.exchange, { status: 101, failure: { code: String }, endedAt: Number })
})

t.test('an exchange without an answer has its error itself', async t => {
  const record = begin()
  const error = refused()
  record.completed()
  t.notOk(record.ended)
  record.failed(error)
  t.match(record.exchange, { sent: false, endedAt: Number, failure: { code: 'UPSTREAM_UNREACHABLE', details: { upstream: 'bank' } } })
  t.equal(record.exchange.error, error)
})

t.test('a connection is lost before the headers, or with the body', async t => {
  const before = begin()
  before.begun()
  before.failed(reset())
  t.equal(before.exchange.failure?.code, 'UPSTREAM_CONNECTION_LOST')
  const after = begin()
  after.begun()
  after.answered(200, {})
  after.failed(reset())
  after.completed()
  t.match(after.exchange, { status: 200, complete: false, success: false, failure: { code: 'UPSTREAM_INVALID_RESPONSE', details: { phase: 'body' } } })
})

t.test('an error that has a status says how the last attempt was answered', async t => {
  const record = begin()
  record.failed(Object.assign(new Error('Request failed'), { code: 'UND_ERR_REQ_RETRY', statusCode: 503 }))
  t.match(record.exchange, { status: 503, sent: true, failure: { code: 'UPSTREAM_UNAVAILABLE' } })
})

t.test('what says why goes before the error that is kept', async t => {
  const record = begin()
  const error = new Error('Mine.')
  record.failed(error, { name: 'TimeoutError' })
  t.equal(record.exchange.failure?.code, 'UPSTREAM_TIMEOUT')
  t.equal(record.exchange.error, error)
})

t.test('an abort that nobody asked for is a failure nobody knows the reason of', async t => {
  const record = begin()
  record.failed(Object.assign(new Error('Proxy response (502) !== 200 when HTTP Tunneling'), { code: 'UND_ERR_ABORTED' }))
  t.equal(record.exchange.failure?.code, 'UPSTREAM_FAILED')
})

t.test('what its author gave up did not fail', async t => {
  const record = begin()
  const error = new Error('Enough.')
  record.answered(200, {})
  record.givenUp(error)
  record.completed()
  t.match(record.exchange, { abandoned: true, failure: undefined, success: false, complete: false, endedAt: Number })
  t.equal(record.exchange.error, error)
})

t.test('a target is an origin and a path with its query, of a proxy the one behind it', async t => {
  t.same(targetOf('HTTP://Bank:80/base', '/x?y'), { origin: 'http://bank', path: '/x?y' })
  t.same(targetOf(new URL('https://[::1]:444'), '/'), { origin: 'https://[::1]:444', path: '/' })
  t.same(targetOf('http://proxy', 'http://bank:81/x?y#z'), { origin: 'http://bank:81', path: '/x?y' })
  t.throws(() => targetOf(undefined, '/'))
})
