import t from 'tap'
import { countedBy, knowPrincipal, principalOf, RequestCaller } from '../../../src/call/caller.js'

const principal = { id: 'key:agent', scopes: [], claims: {} }

t.test('who makes a request is kept with it', async t => {
  const request = {}
  t.equal(principalOf(request), undefined)
  knowPrincipal(request, principal)
  t.equal(principalOf(request), principal)
})

t.test('the caller of a request is who was found out, at the address that is asked for only where it is counted', async t => {
  let asked = 0
  const request = { get ip () { asked++; return '10.0.0.1' } }
  const unknown = new RequestCaller(request)
  t.equal(unknown.principal, undefined)
  t.equal(asked, 0)
  t.equal(countedBy(unknown), 'address 10.0.0.1')
  t.equal(asked, 1)
  knowPrincipal(request, principal)
  t.equal(new RequestCaller(request).principal, principal)
})

t.test('a principal is counted by its id, anybody else by the address, and no id passes for an address', async t => {
  t.equal(countedBy({ principal, address: '10.0.0.1' }), 'principal key:agent')
  t.equal(countedBy({ principal: undefined, address: '10.0.0.1' }), 'address 10.0.0.1')
  t.not(countedBy({ principal: { ...principal, id: 'address 10.0.0.1' }, address: '' }), countedBy({ principal: undefined, address: '10.0.0.1' }))
})
