import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { KeepAlive } from '../../../src/call/mcp-keep-alive.js'

const after = async (ms: number, answer: string): Promise<string> => await wait(ms, answer)

t.test('an answer that comes soon is what it is', async t => {
  t.equal(await new KeepAlive().soonOrStreamed(after(5, 'soon')), 'soon')
  await t.rejects(new KeepAlive().soonOrStreamed(Promise.reject(new Error('broken'))), { message: 'broken' })
})

t.test('one that takes long is a stream that stays awake, and ends with it', async t => {
  const stream = await new KeepAlive(10).soonOrStreamed(after(60, 'late'))
  if (!(stream instanceof Readable)) return t.fail('expected a stream')
  t.match(await text(stream), /^(?:: keepalive\n\n){2,}late$/)
})

t.test('each has its own time, whatever others wait', async t => {
  const keepAlive = new KeepAlive(200)
  const soon = keepAlive.soonOrStreamed(after(100, 'soon'))
  const first = keepAlive.soonOrStreamed(after(500, 'first'))
  await wait(150)
  const begun = performance.now()
  const second = keepAlive.soonOrStreamed(after(500, 'second'))
  t.equal(await soon, 'soon')
  t.ok(await first instanceof Readable)
  t.ok(performance.now() - begun < 190, 'before the time of the second one')
  t.ok(await second instanceof Readable)
  t.ok(performance.now() - begun > 190)
  t.match(await text(await first as Readable), /first$/)
  t.match(await text(await second as Readable), /second$/)
})

t.test('an answer that cannot be given breaks its stream off', async t => {
  const late = await new KeepAlive(5).soonOrStreamed(new Promise((_resolve, reject) => setTimeout(() => reject(new Error('broken late')), 30)))
  if (!(late instanceof Readable)) return t.fail('expected a stream')
  await t.rejects(text(late), { message: 'broken late' })
})
