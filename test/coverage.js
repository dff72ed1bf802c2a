// What a test has left out of its source file, from what V8 itself counted (NODE_V8_COVERAGE): the reports that tools make of it, for
// some hundred processes, take longer than the tests.
import { readFileSync, readdirSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Lines of the TypeScript of a compiled file that no process ran, of all that wrote into a folder; empty where all of it ran. */
export function uncoveredLines (folder, file) {
  const text = readFileSync(file, 'utf8')
  const url = pathToFileURL(file).href
  const ran = new Uint8Array(text.length)
  for (const name of readdirSync(folder)) {
    // Cut short where its process was killed. A function with nothing in it has nothing to run.
    const script = parsed(readFileSync(join(folder, name), 'utf8'))?.result.find(one => one.url === url)
    if (script !== undefined) addTo(ran, script.functions.filter(({ ranges: [whole] }) => !/\{\s*\}$/.test(text.slice(whole.startOffset, whole.endOffset))))
  }
  const map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')))
  const lines = new Set()
  let line = 0
  let column = 0
  for (let at = 0; at < text.length; at++) {
    // What is between the statements is in no range of its own.
    if (ran[at] === 0 && /\S/.test(text[at])) lines.add((map.findEntry(line, column).originalLine ?? line) + 1)
    if (text[at] === '\n') { line++; column = 0 } else column++
  }
  return [...lines].sort((a, b) => a - b)
}

/** Of ranges that lie in each other, the innermost counts; outer ones come first. */
function addTo (ran, functions) {
  const here = new Uint8Array(ran.length)
  const ranges = functions.flatMap(({ ranges }) => ranges).sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset)
  for (const { startOffset, endOffset, count } of ranges) here.fill(count > 0 ? 1 : 0, startOffset, endOffset)
  for (let at = 0; at < ran.length; at++) ran[at] |= here[at]
}

function parsed (text) {
  try { return JSON.parse(text) } catch { return undefined }
}
