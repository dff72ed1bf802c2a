import t from 'tap'
import { exchangeOutcome } from '../../../src/upstream/exchange.js'
import { observedExchange } from '../../../src/upstream/observed-exchange.js'

t.test('a source that answered counts as one that did', async t => {
  const exchange = observedExchange({ source: 'database', ok: true })
  t.match(exchange, { upstream: 'database', declared: true, success: true, effect: 'read', failure: undefined })
  t.ok(exchange.endedAt! >= exchange.startedAt)
  t.equal(exchangeOutcome(observedExchange({ source: 'database', ok: true, effect: 'write' })), 'applied')
})

t.test('one that did not is a failure, told by what its client threw', async t => {
  t.match(observedExchange({ source: 'database', ok: false }), { success: false, failure: { code: 'UPSTREAM_FAILED', details: { upstream: 'database' } } })
  const error = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  t.match(observedExchange({ source: 'database', ok: false, error }), { error, failure: { code: 'UPSTREAM_UNREACHABLE' } })
})

t.test('a write that failed may have been carried out, unless its client proves that nothing was sent', async t => {
  t.equal(exchangeOutcome(observedExchange({ source: 'database', ok: false, effect: 'write' })), 'unknown')
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' })
  t.equal(exchangeOutcome(observedExchange({ source: 'database', ok: false, effect: 'write', error: refused })), 'not_applied')
})

t.test('nothing of what a database says is quoted', async t => {
  const error = Object.assign(new Error('x'), { status: 500, body: 'SELECT secret FROM users' })
  t.notMatch(JSON.stringify(observedExchange({ source: 'database', ok: false, error }).failure), /SELECT/)
})
