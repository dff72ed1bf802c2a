import t from 'tap'
import { isGivenUp, isHangUp, isOfConnection, isTimeout, reasonOf } from '../../../src/upstream/given-up.js'

const coded = (code: string, more: object = {}): Error => Object.assign(new Error('Text.'), { code }, more)

t.test('whatever an author aborts with is the author\'s end', async t => {
  for (const reason of ['x', undefined, null, new Error('Lost the race.'), new DOMException('Aborted.', 'AbortError'), coded('UND_ERR_ABORTED'), coded('ABORT_ERR'), { status: 404 }]) t.ok(isGivenUp(reason))
})

t.test('a time that ran out is no author\'s end, wherever it says so', async t => {
  const timeout = new DOMException('Too late.', 'TimeoutError')
  for (const reason of [timeout, new DOMException('Aborted.', { name: 'AbortError', cause: timeout }), coded('ETIMEDOUT'), coded('UND_ERR_BODY_TIMEOUT')]) t.notOk(isGivenUp(reason))
})

t.test('what a client finds wrong with an answer is no author\'s end', async t => {
  for (const code of ['HPE_INVALID_CONSTANT', 'UND_ERR_RES_EXCEEDED_MAX_SIZE', 'Z_DATA_ERROR', 'ERR_HTTP2_STREAM_ERROR']) {
    t.notOk(isGivenUp(coded(code)))
    t.notOk(isGivenUp(new Error('terminated', { cause: coded(code) })))
  }
})

t.test('a hang-up is told from a reset by the system call', async t => {
  t.ok(isHangUp(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })))
  t.ok(isHangUp(Object.assign(new Error('aborted'), { code: 'ECONNRESET' })))
  t.notOk(isHangUp(Object.assign(new Error('aborted'), { code: 'ECONNRESET', syscall: 'read' })))
  t.notOk(isHangUp(coded('ECONNRESET')))
  t.notOk(isHangUp(new Error('socket hang up')))
  t.notOk(isHangUp(undefined))
})

t.test('an error of a connection has a code or a system call', async t => {
  t.ok(isOfConnection(coded('EWHATEVER', { syscall: 'connect' })))
  t.ok(isOfConnection(coded('ECONNREFUSED')))
  t.ok(isOfConnection(new DOMException('Too late.', 'TimeoutError')))
  t.notOk(isOfConnection(coded('ABORT_ERR')))
  t.notOk(isOfConnection(new Error('Lost the race.')))
  t.notOk(isOfConnection(new TypeError('Wrong.')))
})

t.test('the reason that undici keeps goes before the abort it reports', async t => {
  const aborted = coded('UND_ERR_ABORTED')
  const reason = new DOMException('Too late.', 'TimeoutError')
  t.equal(reasonOf(aborted, { reason, res: null }), reason)
  t.equal(reasonOf(aborted, { reason: null, res: { errored: reason } }), reason)
  t.equal(reasonOf(aborted, { reason: null, res: { errored: null } }), aborted)
  t.equal(reasonOf(aborted, undefined), aborted)
  t.equal(reasonOf('x', { reason }), 'x')
})

t.test('axios keeps why its signal fired in its configuration', async t => {
  const canceled = (reason: unknown) => Object.assign(new Error('canceled'), { name: 'CanceledError', code: 'ERR_CANCELED', config: { signal: { reason } } })
  t.ok(isTimeout(canceled(new DOMException('Too late.', 'TimeoutError'))))
  t.notOk(isGivenUp(canceled(new DOMException('Too late.', 'TimeoutError'))))
  t.notOk(isTimeout(canceled(new DOMException('Aborted.', 'AbortError'))))
  t.ok(isGivenUp(canceled(new DOMException('Aborted.', 'AbortError'))))
})
