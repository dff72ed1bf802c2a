// npm run bench: measures candor beside what a team would use instead, in one run, and prints ratios.
// --quick: each row for a moment, to see that all of it runs. --only=mcp,scale: some sets. --node=path: under another Node. --json=file: the figures.
import { writeFileSync } from 'node:fs'
import { describeMachine } from './lib/machine.js'
import { measure, open, warmUp } from './lib/measure.js'
import { ablationTable, judge, rowsTable, summarise, targetsTable, wholeSentence } from './lib/report.js'
import { rows } from './lib/rows.js'
import { start } from './lib/server.js'
import { measureWhole } from './lib/whole.js'
import { resultsText } from './lib/results.js'
import { option } from './servers/lib.js'

const quick = process.argv.includes('--quick')
const only = option('only')?.split(',')
const node = option('node', process.execPath)
const seconds = Number(option('seconds', '3'))
const rounds = Number(option('rounds', quick ? '1' : '3'))
const how = quick ? { amount: 50, connections: 10 } : { seconds }
// A first look has no time to lose: its servers start on any core that is free.
const place = quick ? { node } : { node, core: 0 }

const machine = describeMachine(node)
console.log(`Node ${machine.node}, ${machine.cores} cores of ${machine.cpu}${quick ? `: ${how.amount} requests a row` : `${machine.pinned ? ', server and load on one each' : ', not pinned'}, load by ${machine.loader}: 50 connections, ${rounds} × ${seconds} s`}`)

const chosen = rows.filter(({ set, name }) => (only === undefined || only.includes(set)) && !(quick && / (100|5000) capabilities/.test(name)))
const upstream = await start('upstream.js', [], { core: 1 })
const measured = Object.fromEntries(chosen.map(({ name }) => [name, []]))
for (const set of new Set(chosen.map(({ set }) => set))) {
  const members = chosen.filter(row => row.set === set)
  for (let round = 0; round < rounds; round++) {
    // New processes: where code and data come to lie in one of them makes a difference of some percent for all its life.
    const opened = await Promise.all(members.map(row => open(row, { ...place, upstreamUrl: upstream.url })))
    if (!quick) for (const one of opened) await warmUp(one, { requests: 15_000, atMostSeconds: 5 })
    // Row after row: what slows the machine for a while slows all of them. Each round begins with another: the first has waited least.
    const first = Math.floor(round * opened.length / rounds)
    for (const one of [...opened.slice(first), ...opened.slice(0, first)]) measured[one.row.name].push(await measure(one, how))
    for (const { server } of opened) await server.stop()
  }
  for (const { name } of quick ? [] : members) {
    const { perSecond, cpuMicros } = summarise(measured[name])
    console.error(`${name}: ${Math.round(perSecond)}/s, ${cpuMicros.toFixed(1)} µs`)
  }
}
await upstream.stop()
const figures = only === undefined || only.includes('whole') ? await measureWhole({ rounds: quick ? 1 : 5, calls: quick ? 2_000 : 500_000, ...place }) : undefined

console.log(`\n${rowsTable(chosen, Object.fromEntries(Object.entries(measured).map(([name, all]) => [name, summarise(all)])))}`)
// A moment says nothing of how fast anything is.
if (!quick) {
  console.log(`\n${targetsTable(judge(measured, figures))}`)
  if (measured['candor, all on'] !== undefined) console.log(`\n${ablationTable(measured)}`)
}
if (figures !== undefined) console.log(`\n${wholeSentence(figures)}`)
const file = option('json')
if (file !== undefined) writeFileSync(file, resultsText({ machine, seconds, rounds, rows: measured, figures }))
