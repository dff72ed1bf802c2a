import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { currencyService } from '../example-tools/currency/tool.js'
import { weatherService } from '../example-tools/weather/tool.js'

// Writes `openapi/*.json` from what the services themselves serve; with `--check` it compares instead.

const services = { weather: weatherService, currency: currencyService }
const usage = 'Usage: npm run openapi [-- --check]'

try {
  const unknown = process.argv.slice(2).filter(argument => argument !== '--check')
  if (unknown.length > 0) throw new Error(`Unknown argument '${unknown[0]}'. ${usage}`)
  const documents = await Promise.all(Object.entries(services).map(async ([name, service]) => [`openapi/${name}.json`, await documentOf(service)] as const))
  if (process.argv.includes('--check')) check(documents)
  else write(documents)
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}

/** The document as the service answers it, laid out for a diff. */
async function documentOf (service: typeof weatherService | typeof currencyService): Promise<string> {
  const app = await service()
  app.log.level = 'silent'
  const response = await app.inject('/openapi.json')
  await app.close()
  if (response.statusCode !== 200) throw new Error(`GET /openapi.json answered ${response.statusCode}: ${response.body}`)
  return `${JSON.stringify(response.json(), null, 2)}\n`
}

type Documents = ReadonlyArray<readonly [file: string, text: string]>

function write (documents: Documents): void {
  mkdirSync('openapi', { recursive: true })
  for (const [file, text] of documents) writeFileSync(file, text)
  process.stdout.write(`Wrote ${documents.map(([file]) => file).join(' and ')}.\n`)
}

function check (documents: Documents): void {
  const stale = documents.filter(([file, text]) => committed(file) !== text).map(([file]) => file)
  if (stale.length > 0) throw new Error(`Not what the services serve: ${stale.join(', ')}. Run \`npm run openapi\` and commit.`)
}

function committed (file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
