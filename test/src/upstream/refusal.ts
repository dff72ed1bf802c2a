import t from 'tap'
import { readRefusal, type RefusalReader } from '../../../src/upstream/refusal.js'

const read = (reader: RefusalReader | undefined) => readRefusal(reader, { status: 200, headers: {}, data: { status: 'OVER_QUERY_LIMIT' } })

t.test('without a reader, or where it says nothing, there is no refusal', async t => {
  t.equal(read(undefined), undefined)
  t.equal(read(() => undefined), undefined)
})

t.test('a refusal counts as the status it names', async t => {
  t.same(read(({ data }) => (data as { status: string }).status === 'OVER_QUERY_LIMIT' ? { status: 429 } : undefined), { countsAs: 429 })
})

t.test('a refusal counts as the status of the category it names', async t => {
  t.match(read(() => ({ category: 'NOT_FOUND', code: 'PLACE_UNKNOWN', message: 'No such place.' })), { countsAs: 404, error: { code: 'PLACE_UNKNOWN', category: 'NOT_FOUND', status: 404 } })
  t.match(read(() => ({ category: 'SERVICE_ERROR', code: 'DOWN_NOW', message: 'Down.' })), { countsAs: 503 })
})

t.test('what is no refusal is a mistake', async t => {
  for (const wrong of [{ status: 200 }, { status: 302 }, { status: 600 }, { status: '429' }, null, true, {}, { category: 'OOPS', code: 'A_CODE', message: 'm' }]) {
    t.throws(() => read(() => wrong as never), TypeError, JSON.stringify(wrong))
  }
})
