import t from 'tap'
import { compressed, isJsonMediaType } from '../../../src/call/media-type.js'

t.test('JSON, what is written in JSON, and no content type at all are read', async t => {
  for (const type of [undefined, '', ' ', 'application/json', 'Application/JSON', 'application/json; charset=utf-8', 'application/json;charset="UTF8"', 'application/vnd.api+json', 'application/json; version=1']) t.ok(isJsonMediaType(type), String(type))
})

t.test('everything else is not', async t => {
  for (const type of ['text/plain', 'application/json; charset=latin1', 'application/jsonp', 'application/x-www-form-urlencoded', 'json', ';', 'text/json']) t.notOk(isJsonMediaType(type), type)
})

t.test('a body that came compressed is refused by its encoding, not by what its bytes look like', async t => {
  for (const encoding of [undefined, '', ' ', 'identity', ' Identity ']) t.equal(compressed(encoding), undefined)
  for (const encoding of ['gzip', 'br', 'identity, gzip', 'none']) t.match(compressed(encoding), { code: 'UNSUPPORTED_MEDIA_TYPE', status: 415, retryable: false, details: { expected: 'a body without Content-Encoding' } })
})
