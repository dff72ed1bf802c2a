import t from 'tap'
import { ProgressReports } from '../../../src/call/progress.js'
import { keepSecrets } from '../../../src/call/secrets.js'
import type { Progress } from '../../../src/capability/call.js'
import { createRedactor } from '../../../src/protocol/redact.js'

function reports (): { sent: Progress[], progress: ProgressReports } {
  const sent: Progress[] = []
  return { sent, progress: new ProgressReports(one => { sent.push(one) }) }
}

t.test('a caller hears how far a call has come, and only of more', async t => {
  const { sent, progress } = reports()
  for (const done of [0, 1, 1, 0.5, 2]) progress.report({ done })
  t.strictSame(sent, [{ done: 0 }, { done: 1 }, { done: 2 }])
})

t.test('the whole and a line of text go along; what is no number does not', async t => {
  const { sent, progress } = reports()
  progress.report({ done: 1, total: 3, message: 'one\n of\tthree' })
  progress.report({ done: 2, total: NaN, message: 5 as never })
  for (const done of [NaN, Infinity, '9' as never, undefined as never]) progress.report({ done })
  t.strictSame(sent, [{ done: 1, total: 3, message: 'one of three' }, { done: 2 }])
})

t.test('a message is short, and holds no known secret', async t => {
  const forget = keepSecrets(createRedactor(['hunter22']))
  const { sent, progress } = reports()
  progress.report({ done: 1, message: `hunter22 ${'x'.repeat(600)}` })
  forget()
  t.match(sent[0]!.message, /^\[redacted\] x+…$/)
  t.ok(sent[0]!.message!.length <= 510)
})

t.test('after the end of the call nothing is told', async t => {
  const { sent, progress } = reports()
  progress.report({ done: 1 })
  progress.end()
  progress.report({ done: 2 })
  t.equal(sent.length, 1)
})

t.test('where nobody wants to know, nothing happens', async t => {
  const progress = new ProgressReports()
  t.doesNotThrow(() => progress.report({ done: 1 }))
})

t.test('what the call keeps to itself is taken out before the message is cut', async t => {
  const sent: Progress[] = []
  new ProgressReports(one => { sent.push(one) }, createRedactor(['pin-98765'])).report({ done: 1, message: `${'x'.repeat(494)} pin-98765` })
  t.notMatch(sent[0]!.message, /pin/)
})
