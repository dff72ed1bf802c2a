import t from 'tap'
import { fromRow } from '../../../src/call/framework-error.js'
import { levelOf, logFailure, logObjection, logRefusal } from '../../../src/call/log.js'
import { createToolError, type ToolError } from '../../../src/protocol/tool-error.js'
import { failedExchange } from '../../fixtures/state.js'

function logged (error: ToolError, capability?: string) {
  return linesOf(log => logFailure(log, error, capability))
}

function linesOf (run: (log: never) => void) {
  const lines: Array<{ level: string, fields: Record<string, unknown>, text: string }> = []
  const write = (level: string) => (fields: Record<string, unknown>, text: string) => lines.push({ level, fields, text })
  const log = Object.fromEntries(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'].map(level => [level, write(level)]))
  run(log as never)
  return lines
}

t.test('a logger that writes no lines of a level is handed none', async t => {
  const written: unknown[] = []
  const log = { info: (fields: unknown) => { written.push(fields) }, isLevelEnabled: (level: string) => level !== 'info' }
  logFailure(log as never, fromRow('INVALID_INPUT', 'x'))
  t.strictSame(written, [])
  logFailure({ ...log, isLevelEnabled: () => true } as never, fromRow('INVALID_INPUT', 'x'))
  t.match(written, [{ code: 'INVALID_INPUT' }])
})

t.test("a caller's mistake is news, a third party's a warning, our own an error", async t => {
  t.equal(levelOf(fromRow('INVALID_INPUT', 'x')), 'info')
  t.equal(levelOf(fromRow('ROUTE_NOT_FOUND', 'x')), 'info')
  t.equal(levelOf(fromRow('UPSTREAM_UNAVAILABLE', 'x')), 'warn')
  t.equal(levelOf(fromRow('UNAUTHORIZED', 'x')), 'warn')
  t.equal(levelOf(fromRow('INTERNAL_ERROR', 'x')), 'error')
  t.equal(levelOf(fromRow('UPSTREAM_AUTH_FAILED', 'x')), 'error', 'our own credentials')
  t.equal(levelOf(createToolError({ code: 'MY_OWN', category: 'SERVICE_ERROR', status: 500, message: 'x' })), 'warn', 'an author said so')
})

t.test('a failure is one line with capability, code and the real cause', async t => {
  const cause = new Error('SELECT 1')
  const [line, ...more] = logged(fromRow('INTERNAL_ERROR', 'It broke.', { outcome: 'unknown', upstream: 'bank', phase: 'body' }, cause), 'pay')
  t.equal(more.length, 0)
  t.strictSame(line, { level: 'error', fields: { capability: 'pay', code: 'INTERNAL_ERROR', status: 500, outcome: 'unknown', upstream: 'bank', phase: 'body', err: cause }, text: 'It broke.' })
})

t.test('a cause that is no error is shown as what it is', async t => {
  const cycle: Record<string, unknown> = {}
  cycle.self = cycle
  for (const [cause, err] of [[null, { type: 'object', message: 'null' }], ['boom', { type: 'string', message: 'boom' }], [{ a: 1 }, { type: 'object', message: '{"a":1}' }], [10n, { type: 'bigint', message: '10' }], [cycle, { type: 'object', message: 'a value that cannot be shown' }]] as const) {
    t.strictSame(logged(fromRow('INTERNAL_ERROR', 'x', undefined, cause))[0]!.fields.err, err)
  }
  t.notOk('err' in logged(fromRow('INTERNAL_ERROR', 'x'))[0]!.fields)
  t.notOk('capability' in logged(fromRow('INTERNAL_ERROR', 'x'))[0]!.fields)
})

t.test('a cause that throws when it is looked at is written down as one', async t => {
  const unshown = { type: 'object', message: 'a value that cannot be shown' }
  const hostile = new Proxy({}, { getPrototypeOf () { throw new Error('no') } })
  t.strictSame(logged(fromRow('INTERNAL_ERROR', 'x', undefined, hostile))[0]!.fields.err, unshown)
  // What a serialiser of the logger makes of a message that is no text.
  const lines: any[] = []
  const picky = (fields: any) => { lines.push(`${fields.err.message}` && fields) }
  logFailure({ error: picky } as never, fromRow('INTERNAL_ERROR', 'x', undefined, Object.assign(new Error('m'), { message: Symbol('m') })))
  t.match(lines, [{ code: 'INTERNAL_ERROR', err: unshown }])
})

t.test('a refused success is one line at error level: the rule, and the line of evidence, without its query', async t => {
  const exchange = failedExchange({ path: '/v1/rates?key=SECRET', endedAt: 12.4 })
  const error = fromRow('UPSTREAM_UNAVAILABLE', 'Not there.')
  t.strictSame(linesOf(log => logRefusal(log, { rule: 'masked-failure', error, exchange }, error, 'rates')).map(({ level, text, fields: { capability, rule, code, evidence } }) => ({ level, text, capability, rule, code, evidence })), [{
    level: 'error',
    text: 'A success was refused by masked-failure: Not there.',
    capability: 'rates',
    rule: 'masked-failure',
    code: 'UPSTREAM_UNAVAILABLE',
    evidence: { upstream: 'source', method: 'GET', url: 'http://source/v1/rates', status: 503, phase: 'body', sent: true, ms: 12 }
  }])
  const [line] = linesOf(log => logRefusal(log, { rule: 'no-result', error }, error))
  t.notOk('capability' in line!.fields)
  t.equal(line!.fields.evidence, undefined)
})

t.test('a success that was claimed in spite of something is a warning', async t => {
  const objection = { rule: 'masked-failure', error: fromRow('UPSTREAM_UNAVAILABLE', 'Not there.'), exchange: failedExchange({ endedAt: undefined }) } as const
  t.match(linesOf(log => logObjection(log, objection, 'rates')), [{ level: 'warn', text: 'A success was claimed in spite of masked-failure: Not there.', fields: { capability: 'rates', evidence: { ms: undefined } } }])
  const [line] = linesOf(log => logObjection(log, { ...objection, exchange: undefined }))
  t.notOk('capability' in line!.fields)
})
