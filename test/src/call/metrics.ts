import t from 'tap'
import { register } from 'prom-client'
import { createMetrics, type Metrics } from '../../../src/call/metrics.js'
import type { CallReport } from '../../../src/call/service.js'
import type { Tally } from '../../../src/upstream/ledger.js'

process.on('warning', warning => t.fail(warning.message))

const none: Tally = { success: 0, failed: 0, abandoned: 0, open: 0 }

/** A call that went well, with what a test says of it. */
function reportOf (given: Partial<CallReport> = {}): CallReport {
  return { capability: 'get_rate', outcome: 'success', durationMs: 12, exchanges: new Map(), rules: [], ...given }
}

/** The samples of a metric, without its help and type. */
async function samplesOf (metrics: Metrics, name: string): Promise<string[]> {
  return (await metrics.text()).split('\n').filter(line => line.startsWith(name))
}

t.test('calls are counted by capability, outcome and code', async t => {
  const metrics = createMetrics()
  metrics.report(reportOf())
  metrics.report(reportOf())
  metrics.report(reportOf({ outcome: 'failure', code: 'UPSTREAM_TIMEOUT' }))
  metrics.report(reportOf({ outcome: 'caller_gone', code: 'CALLER_GONE' }))
  metrics.report(reportOf({ capability: 'convert' }))
  t.strictSame(await samplesOf(metrics, 'candor_calls_total'), [
    'candor_calls_total{capability="get_rate",outcome="success",code=""} 2',
    'candor_calls_total{capability="get_rate",outcome="failure",code="UPSTREAM_TIMEOUT"} 1',
    'candor_calls_total{capability="get_rate",outcome="caller_gone",code="CALLER_GONE"} 1',
    'candor_calls_total{capability="convert",outcome="success",code=""} 1'
  ])
})

t.test('how long calls take is a histogram in seconds, from 5 ms to 30 s', async t => {
  const metrics = createMetrics()
  metrics.report(reportOf({ durationMs: 4 }))
  metrics.report(reportOf({ durationMs: 40 }))
  metrics.report(reportOf({ durationMs: 45_000 }))
  const labels = 'capability="get_rate",outcome="success"'
  const buckets = ['0.005', '0.01', '0.025', '0.05', '0.1', '0.25', '0.5', '1', '2.5', '5', '10', '30', '+Inf']
  const upTo = [1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3]
  t.strictSame(await samplesOf(metrics, 'candor_call_duration_seconds'), [
    ...buckets.map((bucket, index) => `candor_call_duration_seconds_bucket{le="${bucket}",${labels}} ${upTo[index]}`),
    `candor_call_duration_seconds_sum{${labels}} 45.044`,
    `candor_call_duration_seconds_count{${labels}} 3`
  ])
})

t.test('failures of one capability share a histogram, whatever their codes', async t => {
  const metrics = createMetrics()
  metrics.report(reportOf({ outcome: 'failure', code: 'INVALID_INPUT' }))
  metrics.report(reportOf({ outcome: 'failure', code: 'UPSTREAM_TIMEOUT' }))
  t.strictSame(await samplesOf(metrics, 'candor_call_duration_seconds_count'), ['candor_call_duration_seconds_count{capability="get_rate",outcome="failure"} 2'])
})

t.test('exchanges are counted by upstream and result, and a result that never came is not listed', async t => {
  const metrics = createMetrics()
  metrics.report(reportOf({ exchanges: new Map([['rates', { success: 2, failed: 1, abandoned: 0, open: 0 }], ['unlabelled', { success: 0, failed: 0, abandoned: 3, open: 4 }]]) }))
  metrics.report(reportOf({ exchanges: new Map([['rates', { ...none, success: 5 }]]) }))
  t.strictSame(await samplesOf(metrics, 'candor_exchanges_total'), [
    'candor_exchanges_total{upstream="rates",result="success"} 7',
    'candor_exchanges_total{upstream="rates",result="failed"} 1',
    'candor_exchanges_total{upstream="unlabelled",result="abandoned"} 3',
    'candor_exchanges_total{upstream="unlabelled",result="open"} 4'
  ])
})

t.test('a broken rule of honesty is counted, refused or warned of', async t => {
  const metrics = createMetrics()
  const refused = reportOf({ outcome: 'failure', code: 'INTERNAL_ERROR', rules: [{ rule: 'evidence', refused: true }, { rule: 'mock-marker', refused: false }] })
  metrics.report(refused)
  metrics.report(refused)
  t.strictSame(await samplesOf(metrics, 'candor_honesty_total'), [
    'candor_honesty_total{capability="get_rate",rule="evidence",result="refused"} 2',
    'candor_honesty_total{capability="get_rate",rule="mock-marker",result="warned"} 2'
  ])
})

t.test('a source that changes with every call does not fill the memory: from the 201st on it is "other"', async t => {
  const metrics = createMetrics()
  for (let index = 0; index < 500; index++) metrics.report(reportOf({ exchanges: new Map([[`shard-${index}`, { ...none, success: 1 }]]) }))
  metrics.report(reportOf({ exchanges: new Map([['shard-7', { ...none, success: 1 }]]) }))
  const samples = await samplesOf(metrics, 'candor_exchanges_total')
  t.equal(samples.length, 201)
  t.ok(samples.includes('candor_exchanges_total{upstream="shard-7",result="success"} 2'))
  t.ok(samples.includes('candor_exchanges_total{upstream="shard-199",result="success"} 1'))
  t.ok(samples.includes('candor_exchanges_total{upstream="other",result="success"} 300'))
})

t.test('a source that is an address or a connection string is not shown', async t => {
  const metrics = createMetrics()
  const sources = ['postgres://app:s3cret@db.internal/main', 'db.internal:5432', 'a b', '', 'x'.repeat(65), 'a"} 1\nforged{b="']
  for (const source of sources) metrics.report(reportOf({ exchanges: new Map([[source, { ...none, failed: 1 }]]) }))
  t.strictSame(await samplesOf(metrics, 'candor_exchanges_total'), [`candor_exchanges_total{upstream="other",result="failed"} ${sources.length}`])
  t.notMatch(await metrics.text(), /s3cret|internal|forged/)
})

t.test('two services in one process do not mix, and the process is not counted', async t => {
  const [one, other] = [createMetrics(), createMetrics()]
  one.report(reportOf())
  t.strictSame(await samplesOf(other, 'candor_calls_total'), [])
  t.strictSame((await other.text()).match(/(?<=^# TYPE )\S+/gm), ['candor_calls_total', 'candor_call_duration_seconds', 'candor_exchanges_total', 'candor_honesty_total'])
  t.strictSame(register.getMetricsAsArray(), [])
  t.equal(one.contentType, 'text/plain; version=0.0.4; charset=utf-8')
})
