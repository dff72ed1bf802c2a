import t from 'tap'
import { createReport, inWords, type Finding } from '../../../src/testing/finding.js'

const finding: Finding = { upstream: 'forecast', break: 'answers 503', kind: 'claimed_success', expected: 'a failure', got: '200 success {}' }

t.test('a drill without findings has passed, and says how much it tried', async t => {
  const report = createReport('look', { calls: 7, findings: [], unreached: [] })
  t.match(report, { passed: true, calls: 7 })
  t.equal(String(report), 'look passed its drill of 7 calls.')
})

t.test('each finding has a line of its own', async t => {
  const report = createReport('look', { calls: 7, findings: [finding, { ...finding, refusedBy: 'masked-failure' }], unreached: [] })
  t.equal(report.passed, false)
  t.strictSame(String(report).split('\n'), [
    'look did not pass its drill of 7 calls.',
    '- forecast answers 503: claimed_success. Expected a failure, got 200 success {}.',
    "- forecast answers 503: claimed_success. Expected a failure, got 200 success {}, which the rule 'masked-failure' refused."
  ])
})

t.test('an upstream that was never asked is no pass', async t => {
  const report = createReport('look', { calls: 7, findings: [], unreached: ['spare'] })
  t.equal(report.passed, false)
  t.match(String(report), /\n- spare was never asked/)
})

t.test('a failure in words has all that is acted on', async t => {
  const told = { code: 'UPSTREAM_TIMEOUT', status: 504, category: 'SERVICE_ERROR', retryable: true, next: 'retry' } as const
  t.equal(inWords(told), '504 UPSTREAM_TIMEOUT (SERVICE_ERROR, retryable: true, next_action: retry)')
  t.equal(inWords({ ...told, outcome: 'unknown' }), '504 UPSTREAM_TIMEOUT (SERVICE_ERROR, retryable: true, next_action: retry, outcome: unknown)')
})
