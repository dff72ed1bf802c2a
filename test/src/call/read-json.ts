import t from 'tap'
import { readJson, readJsonBytes } from '../../../src/call/read-json.js'

const failureOf = (text: string) => {
  const read = readJson(text)
  return 'error' in read ? read.error : undefined
}

t.test('JSON is read, an empty body counts as {}, and of a key sent twice the last one counts', async t => {
  t.strictSame(readJson('{"a":1,"a":2}'), { value: { a: 2 } })
  t.strictSame(readJson(''), { value: {} })
  t.strictSame(readJson(' \n'), { value: {} })
  t.strictSame(readJson('\uFEFF{"a":1}'), { value: { a: 1 } })
  t.strictSame(readJson('null'), { value: null })
})

t.test('broken text is told with its position, and is not quoted', async t => {
  t.match(failureOf('{"a":\n  x}'), { code: 'INVALID_JSON', retryable: false, message: 'The body is not JSON: it breaks at position 8 (line 2, column 3).' })
  t.match(failureOf('{"a":'), { message: /position 5/ })
  t.match(failureOf('{"a":1} // x'), { code: 'INVALID_JSON' })
  t.match(failureOf('{"a":1e999,}'), { code: 'INVALID_JSON' })
  t.match(failureOf("{'secret':1}"), { message: /^(?!.*secret)/ })
  t.match(failureOf('['.repeat(200_000)), { code: 'INVALID_JSON' })
})

t.test('a poisoned key is another failure than broken text', async t => {
  for (const text of ['{"__proto__":{}}', '{"constructor":{"prototype":{}}}']) t.match(failureOf(text), { code: 'POISONED_KEY', retryable: false })
})

t.test('bytes that are no UTF-8 are refused', async t => {
  t.strictSame(readJsonBytes(Buffer.from('{"a":"é"}')), { value: { a: 'é' } })
  t.match(readJsonBytes(Buffer.from('{"a":"é"}', 'latin1')), { error: { code: 'INVALID_JSON', message: 'The body is not UTF-8.' } })
  t.strictSame(readJsonBytes(Buffer.from('{"a":"\uFFFD"}')), { value: { a: '\uFFFD' } }, 'the character that stands for what cannot be read may be sent as well')
  t.match(readJsonBytes(Buffer.concat([Buffer.from('{"a":"\uFFFD'), Buffer.from([0xF0, 0x9F, 0x98]), Buffer.from('"}')])), { error: { code: 'INVALID_JSON' } }, 'a character that was cut in two')
})
