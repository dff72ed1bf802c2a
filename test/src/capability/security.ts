import t from 'tap'
import { security, securityOf, securitySchemes } from '../../../src/capability/security.js'

t.test('an operation says its scopes wherever it stands, or that nobody is asked, or nothing of its own', async t => {
  t.strictSame(securityOf(['read'], false), { security: [{ bearer: ['read'] }] })
  t.strictSame(securityOf(['read'], true), { security: [{ bearer: ['read'] }] })
  t.strictSame(securityOf([], true), { security: [] })
  t.strictSame(securityOf([], false), {})
})

t.test('what is asked for is declared', async t => {
  t.match(securitySchemes, { bearer: { type: 'http', scheme: 'bearer' } })
  t.strictSame(security.flatMap(Object.keys), Object.keys(securitySchemes))
})
