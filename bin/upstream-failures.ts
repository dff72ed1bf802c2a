import { readFileSync, writeFileSync } from 'node:fs'
import { failurePage } from './failure-page.js'

// Writes `docs/reference/upstream-failures.md` from the tables of the classifier; with `--check` it compares instead.

const FILE = 'docs/reference/upstream-failures.md'
const [argument, ...more] = process.argv.slice(2)

if ((argument !== undefined && argument !== '--check') || more.length > 0) {
  process.stderr.write('Usage: npm run failures [-- --check]\n')
  process.exitCode = 1
} else if (argument === undefined) {
  writeFileSync(FILE, failurePage())
  process.stdout.write(`Wrote ${FILE}.\n`)
} else if (readFileSync(FILE, 'utf8') !== failurePage()) {
  process.stderr.write(`Not what the classifier does: ${FILE}. Run \`npm run failures\` and commit.\n`)
  process.exitCode = 1
}
