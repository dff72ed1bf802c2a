import t from 'tap'
import { Type } from '@sinclair/typebox'
import { redactLine } from '../../../src/call/secrets.js'
import { createSensitiveKeeper } from '../../../src/call/sensitive.js'
import { cpuMs } from '../../fixtures/cpu-time.js'

const secret = { 'x-candor-sensitive': true }
const keeper = createSensitiveKeeper({ input: Type.Object({ pin: Type.Optional(Type.String(secret)), cvv: Type.Optional(Type.String(secret)), ill: Type.Optional(Type.Boolean(secret)), note: Type.Optional(Type.Array(Type.String(secret))) }) })
const log = (fields: object): unknown => JSON.parse(redactLine(`${JSON.stringify(fields)}\n`))
const turn = async (): Promise<void> => { await new Promise(resolve => setImmediate(resolve)) }

t.test('a capability without sensitive fields, or an input without any, keeps nothing', async t => {
  const none = createSensitiveKeeper({ input: Type.Object({ pin: Type.String() }) })
  t.equal(none({ pin: '1234' }), undefined)
  t.equal(none({ pin: '1234' }), undefined)
  t.equal(keeper({}), undefined)
})

t.test('values are out of the log until a turn after they are released', async t => {
  const kept = keeper({ pin: '98765', cvv: '123', ill: true })!
  t.equal(kept.redact('pin 98765, cvv 123'), 'pin [redacted], cvv 123')
  t.strictSame(log({ text: 'is 98765', cvv: '123', ill: true, n: 123 }), { text: 'is [redacted]', cvv: '[redacted]', ill: '[redacted]', n: 123 })
  kept.release()
  t.strictSame(log({ text: 'is 98765' }), { text: 'is [redacted]' })
  await turn()
  t.strictSame(log({ text: 'is 98765', cvv: '123' }), { text: 'is 98765', cvv: '123' })
})

t.test('calls with the same value do not release it for each other', async t => {
  const [one, two] = [keeper({ pin: '98765' })!, keeper({ pin: '98765' })!]
  one.release()
  await turn()
  t.strictSame(log({ text: '98765' }), { text: '[redacted]' })
  two.release()
  await turn()
  t.strictSame(log({ text: '98765' }), { text: '98765' })
})

t.test('very long and very many values are found as they are', async t => {
  const long = `"${'é'.repeat(9_000)}`
  const kept = keeper({ note: [long, ...Array.from({ length: 900 }, (_, index) => `value-of-${index}`)] })!
  t.equal(kept.redact(`${long} value-of-899.`), '[redacted] [redacted].')
  t.strictSame(log({ text: long }), { text: '[redacted]' })
  kept.release()
  await turn()
})

t.test('the worst input of a megabyte takes no time', async t => {
  for (const note of [['.'.repeat(1_000_000) + 'b'], ['b' + '.'.repeat(3_900)], Array.from({ length: 1_000 }, (_, index) => 'a'.repeat(1_000) + index), Array.from({ length: 1_000 }, (_, index) => 'a'.repeat(index + 4)), Array.from({ length: 1_000 }, (_, index) => `value-of-${index}`)]) {
    const kept = keeper({ note })!
    const took = cpuMs(() => {
      for (const text of ['.'.repeat(200_000), 'a'.repeat(200_000), 'value-of-'.repeat(20_000)]) log({ text })
      kept.redact('a'.repeat(900_000))
    })
    t.ok(took < 2_000, 'it took minutes')
    kept.release()
    await turn()
  }
})
