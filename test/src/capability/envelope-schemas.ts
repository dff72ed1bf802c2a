import { Ajv2019 } from 'ajv/dist/2019.js'
import t from 'tap'
import { envelopeSchemas, failureSchema, successSchema } from '../../../src/capability/envelope-schemas.js'
import { failureAnswer, successAnswer } from '../../../src/protocol/answer.js'
import type { Meta } from '../../../src/protocol/envelope.js'
import { createToolError } from '../../../src/protocol/tool-error.js'

const accepts = (schema: object, body: string) => {
  const validate = new Ajv2019({ strict: false }).compile({ ...schema, components: { schemas: envelopeSchemas } })
  return validate(JSON.parse(body))
}

t.test('what the service answers with success matches the success schema', async t => {
  const schema = successSchema({ type: 'number' })
  const meta: Meta = {
    sources: ['a'],
    partial: [{ source: 'b', code: 'C', message: 'd' }],
    cached: true,
    as_of: '2026-01-01T00:00:00Z',
    fallback: { from: 'a', to: 'b' },
    empty: { searched: 'all', candidates: 3, widen: 'more' },
    simulated: true,
    warnings: [{ rule: 'r', source: 's', code: 'C' }],
    operation_id: 'op',
    status: 'pending',
    replayed: false,
    idempotency: 'k'
  }
  t.ok(accepts(schema, successAnswer('1', undefined, 'id').body))
  t.ok(accepts(schema, successAnswer('1', meta, 'id').body))
  t.notOk(accepts(schema, successAnswer('"1"', undefined, 'id').body))
  t.strictSame(Object.keys(envelopeSchemas.SuccessMeta.properties), Object.keys(meta))
})

t.test('what the service answers with failure matches the failure schema of its code', async t => {
  const { body } = failureAnswer(createToolError({ code: 'FULL', message: 'Full.', category: 'RATE_LIMIT', details: { hint: 'Wait.', mine: 1, outcome: 'not_applied' } }), 'id')
  t.ok(accepts(failureSchema(['FULL', 'OTHER']), body))
  t.notOk(accepts(failureSchema(['OTHER']), body))
  t.notOk(accepts(successSchema({}), body))
  t.notOk(accepts(failureSchema(['FULL']), successAnswer('1', undefined, 'id').body))
})
