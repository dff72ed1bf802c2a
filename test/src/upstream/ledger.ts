import t from 'tap'
import { callOutcome } from '../../../src/upstream/exchange.js'
import { Ledger } from '../../../src/upstream/ledger.js'
import { failedExchange } from '../../fixtures/state.js'

const success = (given = {}) => failedExchange({ status: 200, success: true, failure: undefined, ...given })

t.test('a call that asked nobody has nothing to tally', async t => {
  t.equal(new Ledger().tallies().size, 0)
})

t.test('exchanges are kept in the order they began, and counted by how they ended', async t => {
  const ledger = new Ledger()
  const all = [success(), failedExchange(), failedExchange({ endedAt: undefined }), failedExchange({ abandoned: true }), success({ upstream: 'other' })]
  for (const exchange of all) ledger.record(exchange)
  t.strictSame(ledger.exchanges, all)
  t.strictSame(Object.fromEntries(ledger.tallies()), { source: { success: 1, failed: 1, abandoned: 1, open: 1 }, other: { success: 1, failed: 0, abandoned: 0, open: 0 } })
})

t.test('once the call is judged, nothing more is taken', async t => {
  const ledger = new Ledger()
  ledger.close()
  ledger.record(success())
  t.equal(ledger.exchanges.length, 0)
})

t.test('a call that makes thousands of requests keeps as many as it takes to judge it, and counts them all', async t => {
  const ledger = new Ledger()
  for (let index = 0; index < 10_000; index++) ledger.record(success({ path: `/${index}`, startedAt: index, endedAt: index + 1 }))
  t.ok(ledger.exchanges.length < 300, String(ledger.exchanges.length))
  t.equal(ledger.tallies().get('source')?.success, 10_000)
})

t.test('a thousand failures that were each made good stay made good', async t => {
  const ledger = new Ledger()
  for (let index = 0; index < 2_000; index++) {
    ledger.record(failedExchange({ path: `/${index}`, startedAt: index, endedAt: index + 0.2 }))
    ledger.record(success({ path: `/${index}`, startedAt: index + 0.3, endedAt: index + 0.5 }))
  }
  t.ok(ledger.exchanges.length < 600, String(ledger.exchanges.length))
  t.ok(ledger.exchanges.filter(({ success, accounted }) => !success && accounted !== true).every(({ startedAt }) => startedAt > 1_500))
  t.strictSame(ledger.tallies().get('source'), { success: 2_000, failed: 2_000, abandoned: 0, open: 0 })
})

t.test('failures that nothing makes good are not forgotten, however many there are', async t => {
  const ledger = new Ledger()
  for (let index = 0; index < 20_000; index++) ledger.record(failedExchange({ path: `/${index}`, startedAt: index, endedAt: index + 1 }))
  const several = ledger.exchanges.filter(({ several }) => several === true)
  t.equal(several.length, 1)
  t.ok(ledger.exchanges.length < 10_000, String(ledger.exchanges.length))
  ledger.record(success({ path: several[0]!.path, startedAt: 30_000, endedAt: 30_001 }))
  t.equal(ledger.exchanges.some(({ several }) => several === true), true)
})

t.test('what is open is kept, and what the writes did is still known', async t => {
  const ledger = new Ledger()
  const open = Array.from({ length: 300 }, () => failedExchange({ endedAt: undefined }))
  const write = { effect: 'write', method: 'POST' } as const
  ledger.record(success(write))
  ledger.record(failedExchange({ ...write, path: '/lost', status: undefined }))
  for (const exchange of open) ledger.record(exchange)
  for (let index = 0; index < 2_000; index++) ledger.record(success({ ...write, path: `/${index}`, startedAt: index, endedAt: index + 1 }))
  t.equal(ledger.exchanges.filter(({ endedAt }) => endedAt === undefined).length, 300)
  t.equal(callOutcome(ledger.exchanges), 'unknown')
})

t.test('a redirect that another client follows is no failure; our own client sees to its own', async t => {
  const ledger = new Ledger()
  const redirect = failedExchange({ foreign: true, status: 302, location: 'http://source/next?a=1' })
  ledger.record(redirect)
  ledger.record(success({ foreign: true, path: '/elsewhere' }))
  t.equal(redirect.followed, undefined)
  ledger.record(success({ path: '/next?a=1' }))
  t.equal(redirect.followed, undefined)
  ledger.record(success({ foreign: true, path: '/next?a=1' }))
  t.equal(redirect.followed, true)
})

t.test('what a redirect of an upstream leads to is its answer, on whatever host', async t => {
  const ledger = new Ledger()
  ledger.record(failedExchange({ foreign: true, status: 302, location: 'http://cdn/file' }))
  const there = success({ foreign: true, origin: 'http://cdn', path: '/file', upstream: 'unlabelled', declared: false })
  ledger.record(there)
  t.match(there, { upstream: 'source', declared: true })
})
