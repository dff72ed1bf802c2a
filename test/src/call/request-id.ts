import t from 'tap'
import { createRequestId, giveRequestId, requestIdOf } from '../../../src/call/request-id.js'

const UUID = /^[0-9a-f-]{36}$/

t.test("a caller's id that is fit to be repeated is kept", async t => {
  for (const id of ['a', 'req-1', 'A_b.c-9', 'a'.repeat(128)]) t.equal(createRequestId({ 'x-request-id': id }), id)
})

t.test('every other is replaced', async t => {
  for (const id of [undefined, '', 'a b', '<script>', 'é', 'a'.repeat(129), 'a, b', ['a', 'b'], 'a\n']) t.match(createRequestId({ 'x-request-id': id }), UUID)
})

t.test("a request keeps one id, the server's own where that is fit", async t => {
  t.equal(requestIdOf({}, 'req-1'), 'req-1')
  const request = {}
  const id = requestIdOf(request, 'not fit!')
  t.match(id, UUID)
  t.equal(requestIdOf(request, 'not fit!'), id)
})

t.test('the id that was made for a request is its id, and another that it was given since is looked at', async t => {
  const raw = { headers: { 'x-request-id': 'req-1' } }
  const id = giveRequestId(raw)
  t.equal(id, 'req-1')
  t.equal(requestIdOf({ raw }, id), id)
  t.equal(requestIdOf({ raw }, 'req-2'), 'req-2')
  t.match(requestIdOf({ raw }, 'not fit!'), UUID)
  t.match(requestIdOf({ raw: {} }, undefined), UUID)
})
