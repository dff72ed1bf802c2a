import t from 'tap'
import { createToolError, type ToolErrorInit } from '../../../src/protocol/tool-error.js'
import { levelOf, logFailure } from '../../../src/call/log.js'

const error = (init: Partial<ToolErrorInit>) => createToolError({ code: 'SOME_CODE', message: 'What failed.', category: 'SERVICE_ERROR', ...init })

function lines () {
  const written: unknown[][] = []
  const line = (level: string) => (...args: unknown[]) => { written.push([level, ...args]) }
  return { written, log: { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') } }
}

t.test("a caller's mistake is info, a third party's failure a warning, our own fault an error", async t => {
  t.equal(levelOf(error({ category: 'INPUT_ERROR' })), 'info')
  t.equal(levelOf(error({ category: 'NOT_FOUND' })), 'info')
  t.equal(levelOf(error({ code: 'UPSTREAM_UNAVAILABLE', status: 502 })), 'warn')
  t.equal(levelOf(error({ category: 'RATE_LIMIT' })), 'warn')
  t.equal(levelOf(error({ code: 'INTERNAL_ERROR', status: 500 })), 'error')
  t.equal(levelOf(error({ code: 'OUTPUT_INVALID', status: 500 })), 'error')
})

t.test('a write of unknown outcome is the third party\'s doing, whatever its status became', async t => {
  t.equal(levelOf(error({ code: 'UPSTREAM_TIMEOUT', status: 500 })), 'warn')
})

t.test("the tool's own refused credentials are an error: somebody has to mend them", async t => {
  t.equal(levelOf(error({ code: 'UPSTREAM_AUTH_FAILED', category: 'AUTH_ERROR' })), 'error')
  t.equal(levelOf(error({ code: 'UNAUTHORIZED', category: 'AUTH_ERROR' })), 'warn')
})

t.test('the line holds capability, code and the real cause', async t => {
  const { written, log } = lines()
  const cause = new Error('connect ECONNREFUSED')
  logFailure(log, error({ code: 'UPSTREAM_UNREACHABLE', status: 502, details: { upstream: 'rates', phase: 'connect' }, cause }), 'convert')
  t.match(written, [['warn', { capability: 'convert', code: 'UPSTREAM_UNREACHABLE', status: 502, upstream: 'rates', phase: 'connect', err: cause }, 'What failed.']])
})

t.test('a cause that is no error is written down all the same', async t => {
  const cyclic: Record<string, unknown> = {}
  cyclic.self = cyclic
  for (const [cause, shown] of [['boom', 'boom'], [null, 'null'], [{ a: 1 }, '{"a":1}'], [cyclic, 'a value that cannot be shown']] as const) {
    const { written, log } = lines()
    logFailure(log, error({ cause }))
    t.match(written, [['warn', { err: { message: shown } }]])
    t.notOk('capability' in (written[0]![1] as object))
  }
})

t.test('a failure without a cause has no err', async t => {
  const { written, log } = lines()
  logFailure(log, error({ category: 'INPUT_ERROR' }))
  t.notOk('err' in (written[0]![1] as object))
})
