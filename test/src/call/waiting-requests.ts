import t from 'tap'
import { awaitHandler, beginHandler, stateOf } from '../../../src/call/waiting-requests.js'

t.test('a request waits until its handler begins, and one that nobody follows says nothing', async t => {
  const request = {}
  t.equal(stateOf(request), undefined)
  awaitHandler(request)
  t.equal(stateOf(request), 'waiting')
  beginHandler(request)
  t.equal(stateOf(request), 'begun')
})
