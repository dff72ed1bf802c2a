import t from 'tap'
import { Type } from '@sinclair/typebox'
import { classifyThrown, internalError } from '../../../src/call/thrown.js'
import { defineCapability } from '../../../src/capability/define.js'
import { createToolError } from '../../../src/protocol/tool-error.js'
import { failedExchange, stateOf } from '../../fixtures/state.js'

const capability = defineCapability({
  name: 'read_it',
  description: 'Reads.',
  effect: 'read',
  input: Type.Object({}),
  output: Type.Null(),
  errors: { NOT_THERE: { category: 'NOT_FOUND', description: 'Not there.' } },
  handler: () => null
})
const bug = { declared: false, error: { code: 'INTERNAL_ERROR', status: 500, retryable: false } }

t.test('our own bug has fixed text; the cause is for the log alone', async t => {
  const cause = new Error('duplicate key (email)=(a@b.c)')
  const error = internalError(cause)
  t.match(error, { code: 'INTERNAL_ERROR', category: 'SERVICE_ERROR', status: 500, retryable: false })
  t.equal(error.cause, cause)
  t.notMatch(JSON.stringify(error), /a@b/)
})

t.test('a declared error and one of the framework are themselves', async t => {
  for (const code of ['NOT_THERE', 'SERVICE_UNAVAILABLE']) {
    const thrown = createToolError({ code, category: 'NOT_FOUND', message: 'x' })
    t.strictSame(classifyThrown(thrown, stateOf(capability)), { error: thrown, declared: true })
  }
})

t.test('a tool error that nobody declared is a bug: discovery does not know it', async t => {
  t.match(classifyThrown(createToolError({ code: 'SURPRISE', category: 'NOT_FOUND', message: 'x' }), stateOf(capability)), bug)
})

t.test('what carries nothing is a bug', async t => {
  for (const thrown of [null, undefined, 'boom', 42, new Error('boom'), { statusCode: 404 }, Object.assign(new Error('key sk-1 rejected'), { statusCode: 401 }), new TypeError('x is not a function')]) {
    t.match(classifyThrown(thrown, stateOf(capability)), bug)
  }
})

t.test("a connection's error code is the upstream's failure, even without a recorded exchange", async t => {
  t.match(classifyThrown(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }), stateOf(capability)), { declared: true, error: { code: 'UPSTREAM_UNREACHABLE', status: 502, retryable: true } })
})

t.test('a response status counts where the call made a request', async t => {
  const state = stateOf(capability, { exchanges: [failedExchange()] })
  t.match(classifyThrown(Object.assign(new Error('no'), { statusCode: 404 }), state), { declared: true, error: { code: 'UPSTREAM_NOT_FOUND' } })
})

t.test('what carries nothing after a failed exchange is that failure, unless a later success accounts for it', async t => {
  const failed = failedExchange()
  t.match(classifyThrown(null, stateOf(capability, { exchanges: [failed] })), { declared: true, error: { code: 'UPSTREAM_UNAVAILABLE' } })
  const { failure: _, ...succeeded } = failedExchange({ status: 200, success: true, startedAt: 2, endedAt: 3 })
  t.match(classifyThrown(null, stateOf(capability, { exchanges: [failed, succeeded] })), bug)
})
