import { ESLint } from 'eslint'
import { readdirSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import t from 'tap'

// Plants imports in files that do not exist, under the configuration that holds for their place.

const root = resolve(import.meta.dirname, '..')
// Not a literal: there are no types for this JavaScript.
const { layers }: { layers: string[] } = await import(new URL('../house.js', import.meta.url).href)
const eslint = new ESLint({ cwd: root })
const PATHS = 'import-x/no-restricted-paths'
const NAMES = 'no-restricted-imports'
const GLOBALS = 'no-restricted-globals'

/** For each line of code in this file, the import rules that find fault with it. */
async function faults (filePath: string, lines: string[]): Promise<string[][]> {
  const [result] = await eslint.lintText(lines.join('\n') + '\n', { filePath: resolve(root, filePath) })
  const messages = (result?.messages ?? []).filter(({ ruleId }) => ruleId === null || [PATHS, NAMES, GLOBALS, 'import-x/no-unresolved'].includes(ruleId))
  return lines.map((_, index) => messages.filter(({ line }) => line === index + 1).map(({ ruleId, message }) => ruleId ?? message))
}

/** A TypeScript file of a folder, or the file itself; `undefined` where there is none yet. */
function aFileOf (place: string) {
  if (place.endsWith('.ts')) return place
  try {
    const names = readdirSync(resolve(root, place), { recursive: true, encoding: 'utf8' })
    const name = names.sort().find(name => name.endsWith('.ts'))
    return name === undefined ? undefined : `${place}/${name}`
  } catch {
    return undefined
  }
}

/** Every way to import one file into another: types count. */
function importsOf (target: string, from: string): string[] {
  const path = relative(dirname(from), target).replaceAll('\\', '/').replace(/\.ts$/, '.js')
  const specifier = path.startsWith('.') ? path : `./${path}`
  return [`import '${specifier}'`, `import type { A } from '${specifier}'`, `export * from '${specifier}'`, `export type { B } from '${specifier}'`, `await import('${specifier}')`]
}

t.test('every folder of src/ is a layer, and no file lies beside them', async t => {
  const entries = readdirSync(resolve(root, 'src'), { withFileTypes: true })
  t.strictSame(entries.filter(entry => !entry.isDirectory() || !layers.includes(entry.name)).map(entry => entry.name), [])
})

t.test('a layer imports from those above it, and from no other', async t => {
  const tried = { refused: 0, accepted: 0 }
  for (const layer of layers) {
    const planted = `src/${layer}/planted.ts`
    for (const other of layers) {
      const target = aFileOf(`src/${other}`)
      if (target === undefined) continue
      const allowed = other === layer || (layer === 'agent' ? ['protocol', 'schema'].includes(other) : layers.indexOf(other) < layers.indexOf(layer))
      const lines = importsOf(target, planted)
      t.strictSame(await faults(planted, lines), lines.map(() => allowed ? [] : [PATHS]), `${planted} imports ${target}: ${allowed ? 'accepted' : 'refused'}`)
      tried[allowed ? 'accepted' : 'refused']++
    }
  }
  t.ok(tried.refused >= 8, `${tried.refused} forbidden pairs`)
  t.ok(tried.accepted >= 28, `${tried.accepted} allowed pairs`)
})

t.test('nothing imports what stands on top of it', async t => {
  const tops: Array<[string, string[]]> = [
    ...layers.map((layer): [string, string[]] => [`src/${layer}/planted.ts`, ['index.ts', 'plugins', 'bin', 'example-tools', 'test/house.ts']]),
    ['plugins/planted.ts', ['index.ts', 'bin', 'example-tools', 'test/house.ts']],
    ['index.ts', ['bin', 'example-tools', 'test/house.ts']],
    ['bin/planted.ts', ['test/house.ts']],
    ['example-tools/planted.ts', ['test/house.ts', 'bin']]
  ]
  let tried = 0
  for (const [planted, places] of tops) {
    for (const place of places) {
      const target = aFileOf(place)
      if (target === undefined) continue
      const lines = importsOf(target, planted)
      const found = await faults(planted, lines)
      t.ok(found.every(rules => rules.includes(PATHS)), `${planted} imports ${target}: refused`, { found })
      tried++
    }
  }
  t.ok(tried >= 22, `${tried} pairs`)
})

t.test('the package does not import itself by name', async t => {
  for (const layer of layers) {
    const lines = ["import 'candor'", "import type { A } from 'candor'"]
    t.strictSame(await faults(`src/${layer}/planted.ts`, lines), [[PATHS], [PATHS]], layer)
  }
})

const refusals: Array<[file: string, code: string, rule: string]> = [
  // What imports fastify lives in plugins/.
  ...layers.flatMap((layer): Array<[string, string, string]> => [
    [`src/${layer}/planted.ts`, "import fastify from 'fastify'", NAMES],
    [`src/${layer}/planted.ts`, "import type { FastifyInstance } from 'fastify'", NAMES],
    [`src/${layer}/planted.ts`, "import fp from 'fastify-plugin'", NAMES],
    [`src/${layer}/planted.ts`, "import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'", NAMES],
    [`src/${layer}/planted.ts`, 'export const level = process.env.LEVEL', GLOBALS],
    [`src/${layer}/planted.ts`, "import process from 'node:process'", NAMES]
  ]),
  // The classifier reads names and codes.
  ...['outcome', 'verdicts', 'classify', 'exchange'].flatMap((name): Array<[string, string, string]> => [
    [`src/upstream/${name}.ts`, "import { errors } from 'undici'", NAMES],
    [`src/upstream/${name}.ts`, "import type { Dispatcher } from 'undici'", NAMES],
    [`src/upstream/${name}.ts`, "import fastify from 'fastify'", NAMES]
  ]),
  // The protocol and the agent's side run without Node.
  ...['protocol', 'agent'].flatMap((layer): Array<[string, string, string]> => [
    [`src/${layer}/planted.ts`, "import { createHash } from 'node:crypto'", NAMES],
    [`src/${layer}/planted.ts`, "import type { Readable } from 'node:stream'", NAMES],
    [`src/${layer}/planted.ts`, "import { readFile } from 'fs/promises'", NAMES],
    [`src/${layer}/planted.ts`, "export const bytes = Buffer.from('x')", GLOBALS]
  ]),
  // Plugins meet in Fastify, not in each other's files.
  ['plugins/planted.ts', "import health from './health.js'", NAMES],
  ['plugins/planted.ts', "import type { HealthOptions } from './health.js'", NAMES],
  ['plugins/planted.ts', "import health from '../plugins/health.js'", NAMES],
  ['plugins/planted.ts', 'export const port = process.env.PORT', GLOBALS],
  ['plugins/tool-service.ts', 'export const port = process.env.PORT', GLOBALS],
  // An example is what a user would write.
  ['example-tools/weather/planted.ts', "import { codes } from '../../src/protocol/codes.js'", NAMES],
  ['example-tools/weather/planted.ts', "import type { ToolError } from '../../src/protocol/index.js'", NAMES],
  ['example-tools/weather/planted.ts', "import health from '../../plugins/health.js'", NAMES],
  ['example-tools/weather/planted.ts', "import { defineCapability } from '../../index.js'", NAMES],
  ['example-tools/planted.ts', "import { codes } from '../src/protocol/codes.js'", NAMES],
  ['example-tools/weather/server.ts', "import { codes } from '../../src/protocol/codes.js'", NAMES],
  ['example-tools/weather/tool.ts', 'export const port = process.env.PORT', GLOBALS]
]

t.test('what a place must not know is refused there', async t => {
  for (const [file, code, rule] of refusals) t.match(await faults(file, [code]), [[rule]], `${file}: ${code}`)
})

const acceptances: Array<[file: string, code: string]> = [
  ['src/upstream/classify.ts', "import { codes } from '../protocol/codes.js'"],
  ['src/upstream/planted.ts', "import { Agent } from 'undici'"],
  ['src/upstream/planted.ts', "import { createHash } from 'node:crypto'"],
  ['src/upstream/planted.ts', "export const bytes = Buffer.from('x')"],
  ['src/schema/planted.ts', "import { Ajv2019 } from 'ajv/dist/2019.js'"],
  ['plugins/planted.ts', "import fp from 'fastify-plugin'"],
  ['plugins/planted.ts', "import type { FastifyInstance } from 'fastify'"],
  ['plugins/planted.ts', "import { codes } from '../src/protocol/codes.js'"],
  ['plugins/planted.ts', "import type { ToolError } from '../src/protocol/tool-error.js'"],
  ['bin/planted.ts', 'export const port = process.env.PORT'],
  ['example-tools/weather/planted.ts', "import { isToolError } from 'candor/protocol'"],
  ['example-tools/weather/planted.ts', "import { Type } from '@sinclair/typebox'"],
  ['example-tools/weather/server.ts', 'export const port = process.env.PORT'],
  ['example-tools/demo.ts', 'export const port = process.env.PORT']
]

t.test('what a place may know is accepted there', async t => {
  for (const [file, code] of acceptances) t.strictSame(await faults(file, [code]), [[]], `${file}: ${code}`)
})
