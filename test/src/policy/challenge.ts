import t from 'tap'
import { challengeOf } from '../../../src/policy/challenge.js'

t.test('a challenge says what is known, in the order that readers know', async t => {
  t.equal(challengeOf({ realm: 'weather' }), 'Bearer realm="weather"')
  t.equal(challengeOf({ error: 'insufficient_scope', scopes: ['read', 'write'] }), 'Bearer error="insufficient_scope", scope="read write"')
  t.equal(challengeOf({ resourceMetadata: 'https://x/m', realm: 'weather', error: 'invalid_token' }), 'Bearer realm="weather", error="invalid_token", resource_metadata="https://x/m"')
})

t.test('nothing that stands in a part leaves it', async t => {
  t.equal(challengeOf({ resourceMetadata: 'https://a",error="x\\/m' }), 'Bearer resource_metadata="https://a\\",error=\\"x\\\\/m"')
})
