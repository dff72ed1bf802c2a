import t from 'tap'
import { KeptAnswer } from '../../../src/call/kept-answer.js'

t.test('what was made once is kept as it was sent', async t => {
  let made = 0
  const kept = new KeptAnswer(() => `{"made":${++made}}`)
  t.equal(made, 0, 'nobody asked yet')
  const first = kept.answer(undefined)
  t.match(first, { status: 200, headers: { etag: /^"[\w-]{22}"$/, 'cache-control': 'no-cache', 'content-type': 'application/json; charset=utf-8' } })
  t.equal(String(first.body), '{"made":1}')
  t.equal(kept.answer(undefined).body, first.body)
  t.equal(new KeptAnswer(() => '', 'text/html').answer(undefined).headers['content-type'], 'text/html')
})

t.test('a reader that has it already is sent nothing more', async t => {
  const kept = new KeptAnswer(() => '{}')
  const { etag } = kept.answer(undefined).headers
  for (const header of [etag!, `W/${etag}`, `"other", ${etag}`, '*']) t.match(kept.answer(header), { status: 304, headers: { etag }, body: undefined }, header)
  for (const header of ['"other"', '', etag!.slice(1, -1)]) t.equal(kept.answer(header).status, 200, header)
  t.not(new KeptAnswer(() => '[]').answer(undefined).headers.etag, etag)
})

t.test('what is shown to one caller is kept by nobody in between', async t => {
  const kept = new KeptAnswer(() => '{}')
  const { headers, body } = kept.answer(undefined, true)
  t.match(headers, { 'cache-control': 'private, no-cache', etag: kept.answer(undefined).headers.etag })
  t.equal(body, kept.answer(undefined).body)
  t.match(kept.answer(headers.etag, true), { status: 304, headers: { 'cache-control': 'private, no-cache' } })
})
