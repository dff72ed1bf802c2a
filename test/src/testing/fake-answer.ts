import t from 'tap'
import type { Dispatcher } from 'undici'
import { fakeFailures, FunctionDispatcher, play, type FakeAnswer, type FakeFailure } from '../../../src/testing/fake-answer.js'
import { send } from '../../../src/upstream/transport.js'
import { fakeCall, failureOf, upstreamOf } from '../../fixtures/upstream-call.js'

const dispatcherOf = (answer: FakeAnswer) => new FunctionDispatcher((_, handler) => { play(answer, handler as never); return true })

function ask (answer: FakeAnswer) {
  const progress = { sent: false, phase: 'connect' as const, status: undefined as number | undefined }
  const request = { origin: 'http://up.invalid', method: 'GET', path: '/', headers: {}, body: undefined }
  return { progress, ...send(dispatcherOf(answer), request, { maxBytes: 1_000 }, progress) }
}

t.test('an answer has its status, its headers and its body', async t => {
  t.match(await ask({ json: { ok: true } }).result, { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from('{"ok":true}') })
  t.match(await ask({ status: 503, headers: { 'Retry-After': '7' } }).result, { status: 503, headers: { 'retry-after': '7' }, body: Buffer.alloc(0) })
  t.strictSame(await ask({ body: 'hello' }).result, { status: 200, headers: {}, body: Buffer.from('hello') })
})

t.test('each failure is told as the real one is', async t => {
  const told: Record<Exclude<FakeFailure, 'silent'>, [code: string, phase: string, sent: boolean]> = {
    dns: ['UPSTREAM_UNREACHABLE', 'dns', false],
    refused: ['UPSTREAM_UNREACHABLE', 'connect', false],
    connect_timeout: ['UPSTREAM_TIMEOUT', 'connect', false],
    tls: ['UPSTREAM_TLS_FAILED', 'tls', false],
    reset: ['UPSTREAM_CONNECTION_LOST', 'headers', true],
    closed: ['UPSTREAM_CONNECTION_LOST', 'headers', true],
    timeout: ['UPSTREAM_TIMEOUT', 'headers', true],
    garbage: ['UPSTREAM_PROTOCOL_ERROR', 'headers', true],
    cut: ['UPSTREAM_INVALID_RESPONSE', 'body', true],
    stalled: ['UPSTREAM_TIMEOUT', 'body', true]
  }
  for (const [fails, expected] of Object.entries(told)) {
    const up = upstreamOf(t, { baseUrl: 'http://up.invalid', dispatcher: dispatcherOf({ fails: fails as FakeFailure }) })
    const call = fakeCall()
    const { code, details: { phase } } = await failureOf(up.clientFor(call).get('/'))
    t.strictSame([code, phase, call.exchanges[0]!.sent], expected, fails)
  }
  t.strictSame(Object.keys(fakeFailures).sort(), [...Object.keys(told), 'silent'].sort())
})

t.test('a body that is cut has begun', async t => {
  const { result, progress } = ask({ fails: 'cut', status: 502, json: 'abcdef' })
  t.match(await result, { status: 502, body: Buffer.from('"abc'), cut: { code: 'UND_ERR_SOCKET' } })
  t.match(progress, { status: 502, phase: 'body' })
})

t.test('who is silent is waited for until somebody gives up', async t => {
  const { result, progress, cancel } = ask({ fails: 'silent' })
  await new Promise(resolve => setImmediate(resolve))
  t.equal(progress.sent, true)
  cancel(new Error('enough'))
  await t.rejects(result, { message: 'enough' })
})

t.test('what is given up before it is sent is not sent', async t => {
  const { result, progress, cancel } = ask({ json: {} })
  cancel(new Error('changed my mind'))
  await t.rejects(result, { message: 'changed my mind' })
  await new Promise(resolve => setImmediate(resolve))
  t.equal(progress.sent, false)
})

t.test('the controller is one that undici knows', async t => {
  const ended: Error[] = []
  const controller = await new Promise<Dispatcher.DispatchController>(resolve => play({ fails: 'silent' }, {
    onRequestStart: resolve, onResponseStart () {}, onResponseData () {}, onResponseEnd () {}, onResponseError (_, error) { ended.push(error) }
  }))
  controller.pause()
  controller.resume()
  controller.abort(new Error('first'))
  controller.abort(new Error('second'))
  t.match(controller, { aborted: true, paused: false, reason: { message: 'first' } })
  t.strictSame(ended.map(({ message }) => message), ['first'])
})

t.test('a failure that nobody has is a mistake', async t => {
  t.throws(() => play({ fails: 'refusd' as never }, {} as never), { name: 'TypeError', message: /Did you mean 'refused'\?/ })
})
