import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { FragileStore, type Patience } from '../../../src/policy/fragile-store.js'

process.on('unhandledRejection', error => t.fail(String(error)))

/** A store, what was said of it, and how often it was asked. */
function storeWith (patience: Patience) {
  const said: string[] = []
  let asked = 0
  const store = new FragileStore({ gone: error => said.push(`gone: ${(error as Error).message}`), back: () => said.push('back') }, patience)
  const ask = async (answer: () => Promise<string>): Promise<string | undefined> => await store.ask(async () => { asked++; return await answer() })
  return { said, asked: () => asked, ask }
}

const yes = async (): Promise<string> => 'yes'
const refused = async (): Promise<string> => { throw new Error('Connection is closed.') }
const silent = async (): Promise<string> => await new Promise(() => {})

t.test('a store that answers is asked by everybody', async t => {
  const { said, asked, ask } = storeWith({})
  t.strictSame(await Promise.all([ask(yes), ask(yes)]), ['yes', 'yes'])
  t.equal(asked(), 2)
  t.strictSame(said, [])
})

t.test('a store that fails is left alone for a moment, and that is said once', async t => {
  const { said, asked, ask } = storeWith({ pauseMs: 60_000 })
  t.strictSame(await Promise.all([ask(refused), ask(refused)]), [undefined, undefined])
  t.equal(await ask(yes), undefined)
  t.equal(asked(), 2)
  t.strictSame(said, ['gone: Connection is closed.'])
})

t.test('after that moment one asks, and when it is answered all do', async t => {
  const { said, asked, ask } = storeWith({ pauseMs: 1, patienceMs: 20 })
  await ask(refused)
  await wait(5)
  const late = ask(silent)
  await wait(5)
  t.equal(await ask(refused), undefined)
  await late
  t.strictSame(said, ['gone: Connection is closed.'], 'one outage')
  await wait(5)
  t.equal(await ask(yes), 'yes')
  t.equal(await ask(yes), 'yes')
  t.strictSame(said, ['gone: Connection is closed.', 'back'])
  await ask(refused)
  t.equal(said.length, 3, 'another one')
  t.equal(asked(), 6)
})

t.test('while one finds out, the others do not wait', async t => {
  const { asked, ask } = storeWith({ pauseMs: 20, patienceMs: 60_000 })
  await ask(refused)
  await wait(25)
  let answer = (_: string): void => {}
  const probe = ask(async () => await new Promise(resolve => { answer = resolve }))
  t.equal(await ask(yes), undefined)
  t.equal(asked(), 2)
  answer('found')
  t.equal(await probe, 'found')
})

t.test('one that does not answer is not waited for, and what it says later hurts nobody', async t => {
  const { said, ask } = storeWith({ patienceMs: 5, pauseMs: 60_000 })
  t.equal(await ask(async () => { await wait(30); throw new Error('Too late.') }), undefined)
  t.strictSame(said, ['gone: No answer within 5 ms.'])
  await wait(40)
  t.equal(said.length, 1)
})

t.test('an answer to what was asked before it failed does not bring it back', async t => {
  const { said, ask } = storeWith({ pauseMs: 60_000 })
  const early = ask(async () => { await wait(10); return 'early' })
  await ask(refused)
  t.equal(await early, 'early')
  t.strictSame(said, ['gone: Connection is closed.'])
})

t.test('a process that was held up reads the answer that lies there', async t => {
  const { said, ask } = storeWith({ patienceMs: 10 })
  const answer = ask(async () => await new Promise(resolve => { setTimeout(() => setImmediate(() => resolve('there')), 1) }))
  const until = performance.now() + 30
  while (performance.now() < until) { /* held up */ }
  t.equal(await answer, 'there')
  t.strictSame(said, [])
})
