// One row: a server, a first answer that is checked, a warm-up, and then what is counted.
import { load, loadFromHere } from './load.js'
import { start } from './server.js'

/** Starts the server of a row and sees that it answers. */
export async function open (row, { upstreamUrl, ...how }) {
  const server = await start(row.server, [...row.args ?? [], ...(row.upstream ? [`--upstream=${upstreamUrl}`] : [])], how)
  try {
    const { path, ...rest } = row.request
    const request = { ...rest, url: server.url + path }
    await expectAnswer(row, request)
    return { row, server, request }
  } catch (error) {
    await server.stop()
    throw error
  }
}

/** As many calls as it takes until the compiler is done: one that is still at work would be measured with the server. */
export async function warmUp ({ request }, { requests, atMostSeconds }) {
  const until = performance.now() + atMostSeconds * 1_000
  for (let done = 0; done < requests && performance.now() < until;) done += (await load(request, { seconds: 1 })).requests
}

/** Measures a row once, for some seconds or, for a first look, an amount of requests. `cpuMicros` is per request. */
export async function measure ({ row, server, request }, how) {
  // While a process is idle, V8 forgets the shapes of what it had at hand, and code that relied on them is compiled anew: what is measured has been at work.
  if (how.seconds !== undefined) await load(request, { seconds: 1 })
  const before = await server.usage()
  const { requests, perSecond, p99Ms, refused, failures } = how.seconds === undefined ? await loadFromHere(request, how) : await load(request, how)
  const after = await server.usage()
  const wrong = row.expect.status < 300 ? refused : requests - refused
  // A peer may drop a connection now and then; one that drops many is not measured.
  if (failures > Math.max(requests / 100, 50) || wrong > 0) throw new Error(`${row.name}: ${failures} requests failed, ${wrong} of ${requests} had another status than ${row.expect.status}.`)
  return { perSecond, p99Ms, cpuMicros: (after.cpuMicros - before.cpuMicros) / requests, rss: after.rss }
}

/** A server that answers something else is not measured. */
export async function expectAnswer ({ name, expect }, { url, ...request }) {
  const response = await fetch(url, request)
  const text = await response.text()
  if (response.status !== expect.status || !text.includes(expect.text)) throw new Error(`${name}: expected ${expect.status} with ${expect.text}, got ${response.status} ${text.slice(0, 300)}`)
}
