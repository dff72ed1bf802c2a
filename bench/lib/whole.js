// What no single request shows: how long a start takes, what a capability costs in memory, and what stays after many calls.
import { load } from './load.js'
import { rows } from './rows.js'
import { expectAnswer } from './measure.js'
import { start } from './server.js'
import { median } from './report.js'

const row = rows.find(({ name }) => name === 'candor')

async function startSeconds (count, how) {
  const server = await start('candor.js', [`--capabilities=${count}`], how)
  const { path, ...rest } = row.request
  await expectAnswer(row, { ...rest, url: server.url + path })
  const seconds = (performance.now() - server.startedAt) / 1000
  const { heapUsed } = await server.collected()
  await server.stop()
  return { seconds, heapUsed }
}

/** `calls` is how many are made for the growth of the heap, `how` how a server is started. */
export async function measureWhole ({ rounds, calls, ...how }) {
  const starts = { 1: [], 1_000: [], 5_000: [] }
  for (let i = 0; i < rounds; i++) for (const count of Object.keys(starts)) starts[count].push(await startSeconds(Number(count), how))
  const heapOf = count => median(starts[count].map(({ heapUsed }) => heapUsed))

  const server = await start('candor.js', [], how)
  const { path, ...rest } = row.request
  const request = { ...rest, url: server.url + path }
  await load(request, { amount: Math.ceil(calls / 10) })
  const before = await server.collected()
  await load(request, { amount: calls })
  const after = await server.collected()
  await server.stop()
  return {
    startSeconds: Object.fromEntries(Object.keys(starts).map(count => [count, median(starts[count].map(({ seconds }) => seconds))])),
    heapPerCapability: (heapOf(1_000) - heapOf(1)) / 999,
    heapGrowth: after.heapUsed - before.heapUsed,
    calls
  }
}
