import t from 'tap'
import { currentObserver, noLongerRunning, nowRunning, observedBy, possibleOwners, unobserved, type Observer } from '../../../src/upstream/observer.js'

const observer: Observer = { record () {}, upstreamAt: () => undefined }

t.test('what is run on behalf of an observer is so to its end', async t => {
  t.equal(currentObserver(), undefined)
  const seen = await observedBy(observer, async () => {
    await new Promise(resolve => setTimeout(resolve, 1))
    return currentObserver()
  })
  t.equal(seen, observer)
  t.equal(currentObserver(), undefined)
})

t.test('what belongs to nobody has no observer, and gives its result', async t => {
  observedBy(observer, () => {
    t.equal(unobserved(() => currentObserver() ?? 'nobody'), 'nobody')
    t.equal(currentObserver(), observer)
  })
})

t.test('all whose call runs may be the owner of what nobody can tell', async t => {
  nowRunning(observer)
  t.strictSame([...possibleOwners()], [observer])
  noLongerRunning(observer)
  t.equal(possibleOwners().size, 0)
})
