import t from 'tap'
import { unknownOptions } from '../../../src/policy/unknown-options.js'

t.test('an option that is none is told the spelling that was meant, where one is near', async t => {
  t.strictSame(unknownOptions({ issuer: 1, isuer: 2, x: 3 }, ['issuer', 'audience'], 'auth.jwt'), [
    'Expected only known options of `auth.jwt`, got `isuer`. Did you mean `issuer`?',
    'Expected only known options of `auth.jwt`, got `x`.'
  ])
  t.strictSame(unknownOptions({ audience: 1 }, ['issuer', 'audience'], 'auth.jwt'), [])
})

t.test('a key that may be a secret is not shown', async t => {
  const keys = ['sk-live-1234567890', 'c2VjcmV0', 'a'.repeat(31), 'two words', '']
  const told = 'Expected only known options of `auth`, got an unknown option.'
  t.strictSame(unknownOptions(Object.fromEntries(keys.map(key => [key, 'billing'])), ['apiKeys', 'jwt'], 'auth'), keys.map(() => told))
  t.match(unknownOptions({ api_keys: 1, 'api-keys': 1 }, ['apiKeys', 'jwt'], 'auth'), [/`api_keys`. Did you mean `apiKeys`/, /`api-keys`. Did you mean `apiKeys`/], 'but a near miss is')
})
