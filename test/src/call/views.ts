import t from 'tap'
import { Views } from '../../../src/call/views.js'

const items = [{ name: 'open', scopes: [] }, { name: 'read', scopes: ['read'] }, { name: 'both', scopes: ['read', 'write'] }]
const caller = (...scopes: string[]) => ({ id: 'x', scopes, claims: {} })

t.test('a caller sees what it may call, and whoever is not known what asks for nothing', async t => {
  const views = new Views(items, visible => visible.map(({ name }) => name))
  t.strictSame(views.for(undefined), ['open'])
  t.strictSame(views.for(caller()), ['open'])
  t.strictSame(views.for(caller('read')), ['open', 'read'])
  t.strictSame(views.for(caller('write', 'read', 'everything')), ['open', 'read', 'both'])
  t.strictSame(views.for(caller('everything')), ['open'])
})

t.test('a view is made once for all who may call the same', async t => {
  let made = 0
  const views = new Views(items, () => ++made)
  for (const one of [caller('read', 'a'), caller('b', 'read'), caller('read', 'read')]) t.equal(views.for(one), 1)
  t.equal(views.for(caller()), 2)
  t.equal(views.for(undefined), 2)
})

t.test('only so many are kept: the one that was not used for the longest time goes', async t => {
  const many = Array.from({ length: 60 }, (_, index) => ({ scopes: [`s${index}`] }))
  let made = 0
  const views = new Views(many, () => ++made)
  t.equal(views.for(undefined), 1)
  for (let index = 0; index < 60; index++) {
    views.for(caller(`s${index}`))
    t.equal(views.for(undefined), 1, 'what is used stays')
  }
  t.equal(views.for(caller('s59')), 61)
  t.equal(views.for(caller('s0')), 62)
})
