import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import t from 'tap'
import { headerText, readBody } from '../../../src/upstream/body.js'

const read = async (body: string | Buffer, headers: Record<string, string> = { 'content-type': 'application/json' }, asked: Record<string, string> = {}, maxBytes = 1_000) =>
  await readBody({ status: 200, headers, body: Buffer.from(body) }, asked, maxBytes)

t.test('JSON is data, with or without a byte order mark or a content type that says so', async t => {
  t.same(await read('{"a":0}'), { data: { a: 0 } })
  t.same(await read('\uFEFF[1]'), { data: [1] })
  t.same(await read(' null '), { data: null })
  t.same(await read('{"a":0}', { 'content-type': 'text/html' }), { data: { a: 0 } })
  t.same(await read('"text"', {}), { data: 'text' })
})

t.test('an empty body is undefined', async t => {
  t.same(await read(''), { data: undefined })
  t.same(await read(' \r\n'), { data: undefined })
  t.same(await read('', { 'content-encoding': 'gzip' }), { data: undefined })
})

t.test('what is not JSON is a problem that keeps its text', async t => {
  t.match(await read('{"a":'), { problem: { message: 'The answer is not JSON.' }, text: '{"a":' })
  t.match(await read('<!DOCTYPE html>', { 'content-type': 'text/html' }), { problem: { message: 'The answer is not JSON, nor does its content type say so.' }, text: '<!DOCTYPE html>' })
})

t.test('text is data where something else than JSON was asked for', async t => {
  const csv = { Accept: 'text/csv' }
  t.same(await read('a;b', { 'content-type': 'text/csv' }, csv), { data: 'a;b' })
  t.same(await read('a;b', {}, csv), { data: 'a;b' })
  t.same(await read('{"error":1}', { 'content-type': 'application/problem+json; charset=utf-8' }, csv), { data: { error: 1 } })
  t.match(await read('a;b', { 'content-type': 'text/csv' }, { accept: 'application/json, text/csv' }), { problem: Error })
  t.match(await read('a;b', { 'content-type': 'text/csv' }, { accept: '*/*' }), { problem: Error })
})

t.test('a compressed body is read', async t => {
  for (const [encoding, body] of [['gzip', gzipSync('[1]')], ['x-gzip', gzipSync('[1]')], ['deflate', deflateSync('[1]')], [' BR ', brotliCompressSync('[1]')], ['identity', Buffer.from('[1]')], ['', Buffer.from('[1]')]] as const) {
    t.same(await read(body, { 'content-encoding': encoding }), { data: [1] }, encoding)
  }
})

t.test('a body that is too large once decompressed is refused', async t => {
  t.match(await read(gzipSync('x'.repeat(1_001)), { 'content-encoding': 'gzip' }), { problem: { code: 'UND_ERR_RES_EXCEEDED_MAX_SIZE' }, text: '' })
  t.match(await read(gzipSync(`"${'x'.repeat(998)}"`), { 'content-encoding': 'gzip' }), { data: String })
})

t.test('broken compression is a problem', async t => {
  t.match(await read(gzipSync('[1]').subarray(0, 12), { 'content-encoding': 'gzip' }), { problem: { message: 'The answer\'s compression is broken.', code: undefined } })
  t.match(await read('[1]', { 'content-encoding': 'gzip' }), { problem: { message: 'The answer\'s compression is broken.' } })
  t.match(await read('[1]', { 'content-encoding': 'constructor' }), { problem: { message: 'The answer is compressed in a way that was not asked for.' } })
})

t.test('a header is one text', async t => {
  t.equal(headerText({ a: ['b', 'c'], d: 'e' }, 'a'), 'b, c')
  t.equal(headerText({ a: ['b', 'c'], d: 'e' }, 'd'), 'e')
  t.equal(headerText({}, 'a'), undefined)
})
