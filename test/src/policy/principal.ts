import t from 'tap'
import { createPrincipal, mayCall, missingScopes } from '../../../src/policy/principal.js'

const reader = { id: 'key:reader', scopes: ['read', 'list'], claims: {} }

t.test('a caller with every scope may call, and one without any may call what asks for none', async t => {
  t.ok(mayCall({ scopes: ['read', 'list'] }, reader))
  t.ok(mayCall({ scopes: [] }, undefined))
  t.notOk(mayCall({ scopes: ['read'] }, undefined))
})

t.test('the scopes that are missing are named, case and all', async t => {
  t.strictSame(missingScopes({ scopes: ['read', 'write', 'READ'] }, reader), ['write', 'READ'])
})

t.test('a principal is a copy that nobody can change', async t => {
  const [scopes, claims] = [['read'], { team: 'a' }]
  const principal = createPrincipal('key:reader', scopes, claims)
  scopes.push('admin')
  claims.team = 'b'
  t.strictSame(principal, { id: 'key:reader', scopes: ['read'], claims: { team: 'a' } })
  for (const part of [principal, principal.scopes, principal.claims]) t.ok(Object.isFrozen(part))
})
