import t from 'tap'
import { fromRow } from '../../../src/call/framework-error.js'
import { levelOf, logFailure } from '../../../src/call/log.js'
import { createToolError, type ToolError } from '../../../src/protocol/tool-error.js'

function logged (error: ToolError, capability?: string) {
  const lines: Array<{ level: string, fields: Record<string, unknown>, text: string }> = []
  const write = (level: string) => (fields: Record<string, unknown>, text: string) => lines.push({ level, fields, text })
  const log = Object.fromEntries(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'].map(level => [level, write(level)]))
  logFailure(log as never, error, capability)
  return lines
}

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
