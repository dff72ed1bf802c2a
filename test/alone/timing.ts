// Does the time of an answer say how near a wrong key was? Medians over many runs, with generous bounds: it tells a comparison that
// stops at the first wrong byte, or at the first key, from one that does not, and no more.
import t from 'tap'
import { createKeyLookup, hashApiKey } from '../../src/policy/api-keys.js'
import { build } from '../fixtures/build.js'
import { note } from '../fixtures/capabilities.js'

const key = 'k'.repeat(43)
const wrong = {
  'in the first byte': `x${key.slice(1)}`,
  'in the last byte': `${key.slice(0, -1)}x`,
  'in every byte': 'x'.repeat(43)
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!

/** Median times of each, in turn, so that whatever else the machine does falls on all alike. */
async function compare (run: (token: string) => unknown, times: number): Promise<number[]> {
  const all = Object.values(wrong).map((): number[] => [])
  for (let time = 0; time < times; time++) {
    for (const [index, token] of Object.values(wrong).entries()) {
      const start = performance.now()
      await run(token)
      all[index]!.push(performance.now() - start)
    }
  }
  return all.map(one => median(one.slice(times / 10)))
}

t.test('a key is compared in the same time wherever it is wrong', async t => {
  const find = createKeyLookup(Array.from({ length: 50 }, (_, index) => ({ id: `a${index}`, sha256: hashApiKey(index === 0 ? key : `other-${index}`) })))
  const medians = await compare(token => { for (let time = 0; time < 20; time++) find(token) }, 2_000)
  t.ok(Math.max(...medians) / Math.min(...medians) < 1.25, medians.join(' '))
})

t.test('the first key is found in the time of the last, and of none', async t => {
  const keys = Array.from({ length: 500 }, (_, index) => `key-${index}-${'x'.repeat(30)}`)
  const find = createKeyLookup(keys.map((one, index) => ({ id: `a${index}`, sha256: hashApiKey(one) })))
  const times = [keys[0]!, keys[499]!, 'none-of-them'].map(token => ({ token, all: [] as number[] }))
  for (let time = 0; time < 2_000; time++) {
    for (const { token, all } of times) {
      const start = performance.now()
      find(token)
      all.push(performance.now() - start)
    }
  }
  const medians = times.map(({ all }) => median(all.slice(200)))
  t.ok(Math.max(...medians) / Math.min(...medians) < 1.5, medians.join(' '))
})

t.test('a request with a wrong key is answered in the same time wherever it is wrong', async t => {
  const { app } = await build(t, { capabilities: [note], auth: { apiKeys: [{ id: 'a', sha256: hashApiKey(key) }] }, logger: false })
  const medians = await compare(async token => await app.inject({ url: '/api/capabilities', headers: { authorization: `Bearer ${token}` } }), 2_000)
  t.ok(Math.max(...medians) / Math.min(...medians) < 1.25, medians.join(' '))
})
