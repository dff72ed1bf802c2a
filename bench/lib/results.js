// What a run has measured, as a file: every round, so that a reader may compare for himself.

/** JSON, a line for each row. `rows` maps a row's name to its rounds, `figures` are those of `whole.js` where they were measured. */
export function resultsText ({ rows, ...rest }) {
  const lines = Object.entries(rows).map(([name, rounds]) => `    ${JSON.stringify(name)}: ${JSON.stringify(rounds.map(rounded))}`)
  const head = JSON.stringify(rest, null, 2).replace(/\n\}$/, '')
  return `${head},\n  "rows": {\n${lines.join(',\n')}\n  }\n}\n`
}

/** No figure is known as well as it was counted. */
function rounded ({ perSecond, p99Ms, cpuMicros, rss }) {
  return { perSecond: Math.round(perSecond), p99Ms: Number(p99Ms.toFixed(2)), cpuMicros: Number(cpuMicros.toFixed(1)), rss }
}
