import t from 'tap'
import { currentObserver, isRecorded, noLongerRunning, nowRunning, observedBy, possibleOwners, recorded, unobserved, type Observer } from '../../../src/upstream/observer.js'

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

t.test('what is on record already is so until it was sent, and leaves nothing to the observer', async t => {
  await observedBy(observer, async () => {
    const seen = recorded(() => recorded(async () => [isRecorded(), currentObserver(), await Promise.resolve().then(isRecorded)]))
    t.same(await seen, [true, undefined, false])
    t.throws(() => recorded(() => { throw new Error('Broken.') }), { message: 'Broken.' })
    t.equal(isRecorded(), false)
  })
})

t.test('all whose call runs may be the owner of what nobody can tell', async t => {
  nowRunning(observer)
  t.strictSame([...possibleOwners()], [observer])
  noLongerRunning(observer)
  t.equal(possibleOwners().length, 0)
})
