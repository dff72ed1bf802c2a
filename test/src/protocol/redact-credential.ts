import t from 'tap'
import { isCredential } from '../../../src/protocol/redact-credential.js'

t.test('a number under a name that may count is no credential, a text is', async t => {
  for (const [name, value] of [['pass', 5], ['cookies', 3], ['token_ratio', 0.5], ['auth_level', 2], ['tokens', 512], ['tokens', [1, 2]], ['tokens', { prompt: 5 }], ['auth', { n: 1, ok: true }], ['token', null], ['password', ''], ['password', false], ['city', 'Bern'], ['credentials', 'caller'], ['credentials', 'tool']] as const) {
    t.notOk(isCredential(name, value), `${name} ${JSON.stringify(value)}`)
  }
  for (const [name, value] of [['pass', 'a'], ['password', 12345], ['db_pass', 12345], ['otp', 123456], ['apiKey', 5], ['authKey', 5], ['token', ['a']], ['tokens', 'a'], ['tokens', ['a']], ['tokens', { access: 'a' }], ['auth', { user: 'u' }], ['credentials', 'hunter'], ['credentials', { n: 1 }], ['token', 'a']] as const) {
    t.ok(isCredential(name, value), `${name} ${JSON.stringify(value)}`)
  }
})

t.test('where no value is known the name decides', async t => {
  t.ok(isCredential('token'))
  t.notOk(isCredential('city'))
})

t.test('the name of a secret is one where it looks issued', async t => {
  t.ok(isCredential('secret_name', 'aB3dE5fG7h'))
  for (const value of ['db-login-v2', 'login', 5]) t.notOk(isCredential('secretName', value))
})
