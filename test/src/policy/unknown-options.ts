import t from 'tap'
import { unknownOptions } from '../../../src/policy/unknown-options.js'

t.test('an option that is none is told the spelling that was meant, where one is near', async t => {
  t.strictSame(unknownOptions({ issuer: 1, isuer: 2, x: 3 }, ['issuer', 'audience'], 'auth.jwt'), [
    'Expected only known options of `auth.jwt`, got `isuer`. Did you mean `issuer`?',
    'Expected only known options of `auth.jwt`, got `x`.'
  ])
  t.strictSame(unknownOptions({ audience: 1 }, ['issuer', 'audience'], 'auth.jwt'), [])
})
