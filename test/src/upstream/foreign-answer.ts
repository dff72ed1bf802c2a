import t from 'tap'
import { messageOf, readBody, readHeaders, wordsOf } from '../../../src/upstream/foreign-answer.js'

const { proxy: revoked, revoke } = Proxy.revocable({}, {})
revoke()

t.test('headers are read from every shape clients give them', async t => {
  const shapes = [
    { 'Retry-After': '7', Date: 'd' },
    new Headers({ 'retry-after': '7', date: 'd' }),
    new Map([['RETRY-AFTER', '7'], ['Date', 'd']]),
    [['retry-after', '7'], ['date', 'd']],
    { 'retry-after': 7, date: ['d'], nothing: undefined, object: {} }
  ]
  for (const headers of shapes) t.match({ ...readHeaders(headers) }, { 'retry-after': ['7'], date: ['d'] })
})

t.test('a header sent twice keeps both values', async t => {
  t.strictSame({ ...readHeaders({ 'retry-after': ['5', '120'] }) }, { 'retry-after': ['5', '120'] })
  t.strictSame({ ...readHeaders([['a', '1'], ['A', '2']]) }, { a: ['1', '2'] })
})

t.test('what are no headers is none', async t => {
  const evil = { get a () { throw new Error('no') } }
  for (const headers of [undefined, null, 'a: b', 7, evil, revoked, [1, 'ab', [], [1, 2]], () => {}]) t.strictSame({ ...readHeaders(headers) }, {})
  t.equal(Object.keys(readHeaders({ __proto__: null, constructor: 'x' })).length, 1)
})

t.test('headers without an end are read to a bound', async t => {
  let yielded = 0
  const endless = { * [Symbol.iterator] () { while (true) yield [`h${++yielded}`, '1'] } }
  t.equal(Object.keys(readHeaders(endless)).length, 256)
  t.equal(yielded, 256)
  t.equal(Object.keys(readHeaders(Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`h${index}`, '1'])))).length, 256)
})

t.test('a body may be text, bytes or what was parsed', async t => {
  const json = { error: 'no' }
  const text = JSON.stringify(json)
  const bytes = new TextEncoder().encode(text)
  for (const body of [json, text, `\uFEFF ${text}`, Buffer.from(text), bytes, bytes.buffer, new DataView(bytes.buffer)]) t.strictSame(readBody(body, {}), { json })
  t.strictSame(readBody([1], {}), { json: [1] })
  t.strictSame(readBody(7, {}), { json: 7 })
  t.strictSame(readBody(false, {}), { json: false })
  t.strictSame(readBody('plain', {}), { text: 'plain' })
  t.strictSame(readBody('"quoted"', {}), { text: '"quoted"' })
  t.strictSame(readBody('"quoted"', { 'content-type': ['application/problem+json'] }), { json: 'quoted' })
  t.strictSame(readBody('{"a":', {}), { text: '{"a":' })
  t.strictSame(readBody('', { 'content-type': [] }), { text: '' })
})

t.test('a stream, a class or nothing is no body', async t => {
  for (const body of [undefined, null, new ReadableStream(), new Date(), revoked, () => {}]) t.strictSame(readBody(body, {}), { text: undefined })
})

t.test('a body that is too long to be an error is not parsed', async t => {
  const long = JSON.stringify({ message: 'x'.repeat(40_000) })
  t.equal(readBody(long, {}).text?.length, 16_384)
  t.equal(readBody(Buffer.from(long), {}).text?.length, 16_384)
  t.equal(readBody(new TextEncoder().encode(long).buffer, {}).text?.length, 16_384)
})

t.test('words are whole values of the fields where APIs put codes', async t => {
  const google = { error: { status: 'INVALID_ARGUMENT', message: 'API_KEY_INVALID?', details: [{ reason: 'API_KEY_INVALID', metadata: { code: { reason: 'DEEP' } } }] } }
  t.strictSame([...wordsOf(google)].sort(), ['API_KEY_INVALID', 'DEEP', 'INVALID_ARGUMENT'])
  t.strictSame([...wordsOf({ __type: 'com.amazonaws.dynamodb#ThrottlingException' })], ['ThrottlingException'])
  t.strictSame([...wordsOf([{ code: 'a' }, { code: 'b' }])], ['a', 'b'])
  t.strictSame([...wordsOf({ message: 'invalid_api_key' })], [], 'a sentence may hold what the caller sent')
  for (const value of ['code', 7, null, undefined, revoked]) t.equal(wordsOf(value).size, 0)
})

t.test('words of a huge or hostile body are looked for in bounds', async t => {
  const nested = (levels: number): unknown => levels === 0 ? { code: 'deep' } : { a: nested(levels - 1) }
  t.strictSame([...wordsOf(nested(5))], ['deep'])
  t.strictSame([...wordsOf(nested(6))], [])
  t.strictSame([...wordsOf(Object.fromEntries([...Array.from({ length: 300 }, (_, index) => [`k${index}`, 1]), ['code', 'late']]))], [])
  t.strictSame([...wordsOf(new Proxy({}, { ownKeys () { throw new Error('no') } }))], [])
  t.strictSame([...wordsOf({ get code () { throw new Error('no') }, type: 'seen' })], ['seen'])
})

t.test('the sentence that says what is wrong is found in its usual places', async t => {
  const cases: Array<[unknown, string | undefined]> = [
    [{ error: { message: 'a' } }, 'a'],
    [{ error: 'a' }, 'a'],
    [{ error: 'invalid_grant', error_description: 'a' }, 'a'],
    [{ error: true, reason: 'a' }, 'a'],
    [{ title: 'Bad Request', detail: 'a' }, 'a'],
    [{ title: 'a' }, 'a'],
    [{ detail: [{ loc: ['body'], msg: 'a' }] }, 'a'],
    [{ errors: [{ message: 'a' }, { message: 'b' }] }, 'a'],
    [{ errors: ['a'] }, 'a'],
    [[{ error: { message: 'a' } }], 'a'],
    [{ message: ' ', error: 'a' }, 'a'],
    ['a', 'a'],
    [{ error: { error: { error: { error: { message: 'too deep' } } } } }, undefined],
    [{ data: 1 }, undefined],
    [[], undefined],
    [null, undefined],
    [revoked, undefined]
  ]
  for (const [json, message] of cases) t.equal(messageOf(json), message)
})

t.test('a header that throws is left out, and the others stay', async t => {
  const headers = { a: '1', get b () { throw new Error('no') }, c: ['2', '3'], C: '4' }
  t.same(readHeaders(headers), { a: ['1'], c: ['2', '3', '4'] })
})
