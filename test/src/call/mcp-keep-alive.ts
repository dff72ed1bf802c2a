import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { mock } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import { KeepAlive } from '../../../src/call/mcp-keep-alive.js'

const after = (ms: number, answer: string): Promise<string> => new Promise(resolve => setTimeout(resolve, ms, answer))

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
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  t.teardown(() => mock.timers.reset())
  let now = 0
  t.intercept(performance, 'now', { value: () => now })
  const pass = async (ms: number): Promise<void> => {
    now += ms
    mock.timers.tick(ms)
    await turn()
  }
  const keepAlive = new KeepAlive(200)
  const streamed: string[] = []
  const asked = (name: string, ms: number): Promise<string | Readable> => {
    const answered = keepAlive.soonOrStreamed(after(ms, name))
    return answered.then(answer => {
      if (answer instanceof Readable) streamed.push(name)
      return answer
    })
  }
  const soon = asked('soon', 100)
  const first = asked('first', 500)
  await pass(150)
  const second = asked('second', 500)
  t.equal(await soon, 'soon')
  await pass(49)
  t.strictSame(streamed, [])
  await pass(1)
  t.strictSame(streamed, ['first'])
  await pass(149)
  t.strictSame(streamed, ['first'], 'before the time of the second one')
  await pass(1)
  t.strictSame(streamed, ['first', 'second'])
  await pass(500)
  t.match(await text(await first as Readable), /first$/)
  t.match(await text(await second as Readable), /second$/)
})

t.test('an answer that cannot be given breaks its stream off', async t => {
  const late = await new KeepAlive(5).soonOrStreamed(new Promise((_resolve, reject) => setTimeout(() => reject(new Error('broken late')), 30)))
  if (!(late instanceof Readable)) return t.fail('expected a stream')
  await t.rejects(text(late), { message: 'broken late' })
})
