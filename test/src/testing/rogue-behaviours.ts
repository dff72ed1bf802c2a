import t from 'tap'
import { answering, behaviours, rawResponse, WELL, type Behaviour } from '../../../src/testing/rogue-behaviours.js'

const origins = { method: 'GET', text: '', origin: 'http://127.0.0.1:1', otherOrigin: 'http://localhost:1' }

t.test('an answer has a right length, unless it has none or another is given', async t => {
  t.equal(rawResponse(200, {}, '{"a":"é"}'), 'HTTP/1.1 200 Rogue\r\ncontent-type: application/json\r\ncontent-length: 10\r\n\r\n{"a":"é"}')
  t.notMatch(rawResponse(204), /content-length/)
  t.match(rawResponse(200, { 'content-length': '7' }), /content-length: 7\r\n/)
  t.match(WELL, /\{"ok":true\}$/)
})

t.test('a status is a behaviour', async t => {
  t.strictSame(answering(888, { 'retry-after': '7' }), { does: 'answers 888', steps: [{ send: rawResponse(888, { 'retry-after': '7' }, '{}') }] })
  for (const status of [204, 304]) t.strictSame(answering(status).steps, [{ send: rawResponse(status) }])
})

t.test('each behaviour says what it does, and only those of redirects look at the request', async t => {
  for (const [name, { does, steps }] of Object.entries<Behaviour>(behaviours)) {
    t.match(does, /^[a-z].*[^.]$/, name)
    t.equal(typeof steps === 'function', name.startsWith('redirect'), name)
  }
})

t.test('a redirect points to itself, onward or elsewhere', async t => {
  const location = ({ steps }: Behaviour, path: string) => typeof steps === 'function' && String((steps({ ...origins, path })[0] as { send: string }).send)
  t.match(location(behaviours.redirect_to_itself, '/a'), /302 [^]*location: \/a\r\n/)
  t.match(location(behaviours.redirect_onward, '/a'), /302 [^]*location: \/onward\r\n/)
  t.match(location(behaviours.redirect_elsewhere, '/a'), /302 [^]*location: http:\/\/localhost:1\/elsewhere\r\n/)
  t.match(location(behaviours.redirect_repeated, '/a'), /307 [^]*location: \/onward\r\n/)
  for (const [name, path] of [['redirect_onward', '/onward'], ['redirect_elsewhere', '/elsewhere'], ['redirect_repeated', '/onward']] as const) t.equal(location(behaviours[name], path), WELL)
})
