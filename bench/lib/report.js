// From figures to what a reader sees: medians, ratios, a table.
import { bounds, targets } from './targets.js'

export function median (values) {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** The median of each figure over all rounds of a row. */
export function summarise (rounds) {
  return Object.fromEntries(Object.keys(rounds[0]).map(figure => [figure, median(rounds.map(round => round[figure]))]))
}

/**
 * How the promised ratios came out: `{ what, value, lowest, highest, worst, aim, verdict }`, each value the median of the ratios of all
 * rounds: what slowed a round slowed both. Those whose rows were not measured are left out.
 */
export function judge (measured, figures) {
  const ratios = targets.flatMap(({ what, of, to, per, worst, aim, atMost = false }) => {
    const others = [to].flat().map(name => measured[name]).filter(rounds => rounds !== undefined)
    if (measured[of] === undefined || others.length === 0) return []
    const best = atMost ? Math.min : Math.max
    const values = measured[of].map((figures, round) => figures[per] / best(...others.map(rounds => rounds[round][per])))
    return [verdict({ what, value: median(values), lowest: Math.min(...values), highest: Math.max(...values), worst, aim, atMost })]
  })
  return [...ratios, ...(figures === undefined ? [] : bounds.map(({ what, read, worst, aim }) => verdict({ what, value: read(figures), worst, aim, atMost: true })))]
}

function verdict ({ what, value, lowest, highest, worst, aim, atMost }) {
  const reaches = bound => atMost ? value <= bound : value >= bound
  return { what, value, lowest, highest, worst, aim, verdict: reaches(aim) ? 'aim reached' : reaches(worst) ? 'allowed' : 'MISSED' }
}

export function rowsTable (rows, summaries) {
  return table(['row', 'requests/s', 'CPU µs', 'p99 ms', 'memory MB'], rows.filter(({ name }) => summaries[name]).map(({ name }) => {
    const { perSecond, cpuMicros, p99Ms, rss } = summaries[name]
    return [name, Math.round(perSecond).toLocaleString('en'), cpuMicros.toFixed(1), p99Ms.toFixed(1), (rss / 2 ** 20).toFixed(0)]
  }))
}

export function targetsTable (judged) {
  return table(['what', 'value', 'in the rounds', 'worst allowed', 'aim', ''], judged.map(({ what, value, lowest, highest, worst, aim, verdict }) => [what, value.toFixed(2), lowest === undefined ? '' : `${lowest.toFixed(2)} to ${highest.toFixed(2)}`, String(worst), String(aim), verdict]))
}

/** What each thing costs a call that is on by default: the median over all rounds of what is saved where it alone is off. */
export function ablationTable (measured) {
  const all = measured['candor, all on']
  const off = Object.keys(measured).filter(name => name.startsWith('candor without '))
  return table(['switched off', 'CPU µs saved', 'of a call'], off.map(name => {
    const saved = figure => median(measured[name].map(({ cpuMicros }, round) => figure(all[round].cpuMicros, cpuMicros)))
    return [name.slice('candor without '.length), saved((on, off) => on - off).toFixed(1), `${(100 * saved((on, off) => (on - off) / on)).toFixed(0)} %`]
  }))
}

/** The promised ratios under several Nodes: those for which all of them have rows. */
export function nodesTable (results) {
  const judged = results.map(({ rows }) => judge(rows))
  const known = judged[0].filter(({ what }) => judged.every(one => one.some(other => other.what === what)))
  return table(['what', ...results.map(({ machine }) => `Node ${machine.node.slice(1).split('.')[0]}`)], known.map(({ what }) => [what, ...judged.map(one => one.find(other => other.what === what).value.toFixed(2))]))
}

/** What is no ratio and no row, in a sentence. */
export function wholeSentence ({ startSeconds, heapGrowth, calls }) {
  const starts = Object.entries(startSeconds).map(([count, seconds]) => `${seconds.toFixed(2)} s at ${Number(count).toLocaleString('en')}`).join(', ')
  return `Start to first answer, by number of capabilities: ${starts}. Heap after ${calls.toLocaleString('en')} calls: ${(heapGrowth / 1024).toFixed(0)} KB more.`
}

/** In Markdown, which a terminal shows well enough. */
function table (head, lines) {
  const widths = head.map((title, column) => Math.max(title.length, ...lines.map(line => line[column].length)))
  const write = line => `| ${line.map((cell, column) => column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column])).join(' | ')} |`
  return [write(head), `|${widths.map((width, column) => column === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`).join('|')}|`, ...lines.map(write)].join('\n')
}
