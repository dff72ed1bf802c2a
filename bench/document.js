// node bench/document.js: writes what was measured, `bench/results/`, into docs/reference/performance.md. A test sees that it stands there.
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { ablationTable, judge, nodesTable, rowsTable, summarise, targetsTable, wholeSentence } from './lib/report.js'

const resultsOf = node => JSON.parse(readFileSync(resolve(import.meta.dirname, `results/node-${node}.json`), 'utf8'))
const page = resolve(import.meta.dirname, '../docs/reference/performance.md')

/** What stands in the page, by the name of its place: `<!-- name -->` before it and `<!-- end -->` behind. */
function places () {
  const all = [20, 22, 24].map(resultsOf)
  const [{ machine, seconds, rounds, rows, figures }] = all
  const names = Object.keys(rows).map(name => ({ name }))
  return {
    machine: `${machine.date.slice(0, 10)}, Node ${machine.node.slice(1)}, ${machine.cores} cores of ${machine.cpu}, ${machine.memoryGiB} GiB, Linux ${machine.kernel}; load by ${machine.loader} over 50 connections, ${rounds} rounds of ${seconds} s.\n\n${Object.entries(machine.versions).map(([name, version]) => `${name} ${version}`).join(', ')}.`,
    promises: targetsTable(judge(rows, figures)),
    rows: rowsTable(names, Object.fromEntries(Object.entries(rows).map(([name, rounds]) => [name, summarise(rounds)]))),
    ablation: ablationTable(rows),
    nodes: nodesTable(all),
    whole: wholeSentence(figures)
  }
}

/** The page with the results in their places. */
export function documented (text) {
  return Object.entries(places()).reduce((rest, [name, content]) => {
    // Not beyond its end, where it is empty.
    const pattern = new RegExp(`(<!-- ${name} -->\n)(?:(?!<!-- )[^])*(<!-- end -->)`)
    if (!pattern.test(rest)) throw new Error(`The page has no place for ${name}.`)
    return rest.replace(pattern, (_, before, after) => `${before}${content}\n${after}`)
  }, text)
}

if (process.argv[1] === import.meta.filename) writeFileSync(page, documented(readFileSync(page, 'utf8')))
