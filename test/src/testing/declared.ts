import t from 'tap'
import { declaredProblem } from '../../../src/testing/declared.js'
import type { Told } from '../../../src/testing/told.js'
import { trial, writeTrial } from '../../fixtures/trial.js'

const notThere: Told = { code: 'NOT_THERE', status: 404, category: 'NOT_FOUND', retryable: true, next: 'fix_input' }
const broken: Told = { code: 'BROKEN', status: 502, category: 'SERVICE_ERROR', retryable: true, next: 'retry' }

t.test('a tool may put into its own words what the upstream said', async t => {
  for (const status of [400, 404, 409, 410, 412, 413, 414, 422, 431]) {
    t.equal(declaredProblem(trial(`answers ${status}`), notThere), undefined)
    t.equal(declaredProblem(trial(`answers ${status}`), { ...notThere, code: 'WRONG', category: 'INPUT_ERROR', retryable: false }), undefined)
  }
  for (const status of [401, 402, 403, 451]) t.equal(declaredProblem(trial(`answers ${status}`), { ...notThere, code: 'NO_ENTRY', category: 'AUTH_ERROR', retryable: false }), undefined)
  for (const status of [420, 429]) t.equal(declaredProblem(trial(`answers ${status}`), { ...notThere, code: 'TOO_MANY', category: 'RATE_LIMIT' }), undefined)
  t.equal(declaredProblem(trial('refuses the connection'), broken), undefined)
})

t.test('it may not blame the input, or itself, for an outage', async t => {
  t.equal(declaredProblem(trial('answers 503'), notThere), 'NOT_THERE (NOT_FOUND) only where the upstream answers 400, 404, 409, 410, 412, 413, 414, 422, 431')
  t.match(declaredProblem(trial('refuses the connection'), { ...notThere, code: 'WRONG', category: 'INPUT_ERROR' }), /^WRONG \(INPUT_ERROR\) only where/)
  t.match(declaredProblem(trial('answers 503'), { ...notThere, code: 'NO_ENTRY', category: 'AUTH_ERROR' }), /^NO_ENTRY \(AUTH_ERROR\) only where the upstream answers 401/)
  t.match(declaredProblem(trial('answers 503'), { ...notThere, code: 'TOO_MANY', category: 'RATE_LIMIT' }), /^TOO_MANY \(RATE_LIMIT\) only where the upstream answers 420, 429/)
})

t.test('it may not promise that the same call works next time where the table does not', async t => {
  t.equal(declaredProblem(trial('answers 401'), broken), 'BROKEN with retryable: false')
  t.equal(declaredProblem(trial('answers 401'), { ...broken, retryable: false }), undefined)
})

t.test('what a write did is not its own to say', async t => {
  t.equal(declaredProblem(writeTrial('answers 503'), { ...broken, retryable: false, outcome: 'not_applied' }), 'BROKEN with outcome: unknown')
  t.equal(declaredProblem(writeTrial('answers 503'), { ...broken, retryable: false, outcome: 'unknown' }), undefined)
})
