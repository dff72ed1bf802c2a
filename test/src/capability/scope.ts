import t from 'tap'
import { isScope } from '../../../src/capability/scope.js'

t.test('a scope is a word that a token and a header can hold', async t => {
  for (const scope of ['read', 'weather:read', 'https://example.com/read', '!', 'a'.repeat(100)]) t.ok(isScope(scope), scope)
  for (const wrong of ['', 'a b', 'a"b', 'a\\b', 'ä', 'a\n', 'a'.repeat(101), 5, undefined]) t.notOk(isScope(wrong), String(wrong))
})
