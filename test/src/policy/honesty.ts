import t from 'tap'
import { Type } from '@sinclair/typebox'
import { defineCapability } from '../../../src/capability/define.js'
import { judge } from '../../../src/policy/honesty.js'
import type { Exchange } from '../../../src/upstream/exchange.js'

const sourced = (evidence?: 'upstream' | 'none') => defineCapability({
  name: 'sourced', description: 'Needs a source.', effect: 'read', evidence, upstreams: ['source'], input: Type.Object({}), output: Type.Object({}), handler: () => ({})
})
const exchange: Exchange = { upstream: 'source', declared: true, origin: 'http://source', method: 'GET', path: '/', effect: 'read', sent: true, phase: 'body', complete: true, success: true, startedAt: 0, endedAt: 1 }
const claim = { capability: sourced('upstream'), exchanges: [exchange], cached: false, derived: undefined }

t.test('a success that a declared upstream stands behind may be claimed', async t => {
  t.equal(judge(claim), undefined)
})

t.test('a success that no source stands behind is refused, and says so without naming internals', async t => {
  for (const exchanges of [[], [{ ...exchange, success: false }], [{ ...exchange, declared: false }]]) {
    const error = judge({ ...claim, exchanges })
    t.match(error, { code: 'UNSUPPORTED_SUCCESS', category: 'SERVICE_ERROR', status: 500, retryable: false })
    t.notMatch(error?.message, /source'/)
    t.match((error?.cause as Error).message, /sourced declares evidence/)
  }
})

t.test('cached and derived answers need no exchange of their own', async t => {
  t.equal(judge({ ...claim, exchanges: [], cached: true }), undefined)
  t.equal(judge({ ...claim, exchanges: [], derived: 'from equals to' }), undefined)
})

t.test('where evidence is not asked for, nothing is looked for', async t => {
  t.equal(judge({ ...claim, capability: sourced(), exchanges: [] }), undefined)
  t.equal(judge({ ...claim, capability: sourced('none'), exchanges: [] }), undefined)
})
