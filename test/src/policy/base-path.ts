import t from 'tap'
import { basePath } from '../../../src/policy/base-path.js'

t.test('a slash at the end of a prefix makes no difference', async t => {
  for (const [prefix, base] of [['', ''], ['/', ''], ['/tools', '/tools'], ['/tools/', '/tools'], ['/a/b//', '/a/b']] as const) t.equal(basePath(prefix), base)
})
