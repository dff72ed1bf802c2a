// Load from another process: how many requests a second, how late the slowest, and what came back.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { loader, pinned } from './machine.js'

const CORE = 1

/** Sends one request over and over. Gives `{ requests, perSecond, p99Ms, failures, refused }`; `refused` counts answers that are no 2xx. */
export async function load (request, { connections = 50, seconds, amount }) {
  return loader === 'wrk' && amount === undefined ? await withWrk(request, connections, seconds) : await withAutocannon(request, connections, seconds, amount)
}

/** The same from this process, which takes no time to start, and part of the core that it is on. It is over when it is done: autocannon ends on its next sample. */
export async function loadFromHere ({ url, method, headers, body }, { connections, amount }) {
  const { default: autocannon } = await import('autocannon')
  return figuresOf(await autocannon({ url, method, headers, body, connections, amount, sampleInt: 20 }))
}

async function withWrk ({ url, method, headers = {}, body }, connections, seconds) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'))
  const script = join(folder, 'request.lua')
  writeFileSync(script, [
    `wrk.method = ${lua(method)}`,
    ...Object.entries(headers).map(([name, value]) => `wrk.headers[${lua(name)}] = ${lua(value)}`),
    ...(body === undefined ? [] : [`wrk.body = ${lua(body)}`]),
    'done = function (summary, latency)',
    '  local e = summary.errors',
    '  io.write(string.format("BENCH %d %d %f %d %d\\n", summary.requests, summary.duration, latency:percentile(99), e.status, e.connect + e.read + e.write + e.timeout))',
    'end'
  ].join('\n'))
  try {
    const text = await run(['wrk', '-t1', `-c${connections}`, `-d${seconds}s`, '-s', script, url])
    const [requests, micros, p99, refused, failures] = /BENCH (.+)/.exec(text)[1].split(' ').map(Number)
    return { requests, perSecond: requests / (micros / 1e6), p99Ms: p99 / 1000, refused, failures }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function withAutocannon ({ url, method, headers = {}, body }, connections, seconds, amount) {
  const program = resolve(import.meta.dirname, '../node_modules/autocannon/autocannon.js')
  const args = ['--json', '-c', connections, ...(amount === undefined ? ['-d', seconds] : ['-a', amount]), '-m', method, ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}=${value}`]), ...(body === undefined ? [] : ['-b', body]), url]
  return figuresOf(JSON.parse(await run([process.execPath, program, ...args.map(String)])))
}

function figuresOf ({ requests, duration, latency, non2xx, errors, timeouts }) {
  return { requests: requests.total, perSecond: requests.total / duration, p99Ms: latency.p99, refused: non2xx, failures: errors + timeouts }
}

async function run (command) {
  const [program, ...args] = pinned(CORE, command)
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let out = ''
  let err = ''
  child.stdout.on('data', data => { out += data })
  child.stderr.on('data', data => { err += data })
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve))
  if (code !== 0) throw new Error(`${command[0]} ended with ${code}: ${err}`)
  return out
}

function lua (value) {
  return JSON.stringify(value).replace(/\\u([0-9a-f]{4})/gi, (_, hex) => `\\u{${hex}}`)
}
