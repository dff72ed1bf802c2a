import { builtinModules } from 'node:module'
import neostandard from 'neostandard'
import importX from 'eslint-plugin-import-x'
import { createTypeScriptImportResolver, defaultConditionNames } from 'eslint-import-resolver-typescript'
import { importZones } from './house.js'

const FASTIFY = { group: ['fastify', 'fastify-plugin', '@fastify/*'], message: 'What imports fastify lives in plugins/.' }
const NODE = { regex: `^(node:.*|${builtinModules.join('|')})$`, message: 'candor/protocol and candor/agent run without Node.' }
const UNDICI = { group: ['undici'], message: 'The classifier reads names and codes: a project has two copies of undici or more.' }
const SIBLING = { group: ['./*', '**/plugins/*'], message: 'Plugins depend on each other through Fastify, by name; only tool-service.ts puts them together.' }
const PATHS = { group: ['**/src/**', '**/plugins/**', '**/index.js'], message: 'An example imports `candor` by name, as a user would.' }
const ONLY_TOPS = "Only bin/ and the examples' server.ts and demo.ts read the process."
const PROCESS = { name: 'process', message: ONLY_TOPS }
const PROCESS_MODULE = { group: ['process', 'node:process'], message: ONLY_TOPS }

// A later block replaces the same rule of an earlier one, so each block says all that holds for its files.
const restrict = (files, patterns, globals = [PROCESS], ignores = []) => ({
  files,
  ignores,
  rules: {
    'no-console': 'error',
    'no-restricted-imports': ['error', { patterns: [...patterns, PROCESS_MODULE] }],
    'no-restricted-globals': ['error', ...globals]
  }
})

export default [
  ...neostandard({ ts: true, ignores: ['dist/**', '.tap/**', '.compiled/**', 'node_modules/**', 'openapi/**'] }),
  {
    files: ['**/*.ts'],
    plugins: { 'import-x': importX },
    settings: {
      // Maps `./x.js` to `./x.ts`, and `candor` to its source: without it the zones below see no file at all and pass everything.
      'import-x/resolver-next': [createTypeScriptImportResolver({ project: './tsconfig.json', conditionNames: ['candor-source', ...defaultConditionNames] })]
    },
    rules: {
      'import-x/no-restricted-paths': ['error', { basePath: import.meta.dirname, zones: importZones }],
      'import-x/no-cycle': ['error', { ignoreExternal: true }],
      'import-x/no-unresolved': 'error',
      // An `as const` object and a union of the same name stand for an enum; the compiler finds real redeclarations.
      '@typescript-eslint/no-redeclare': 'off'
    }
  },
  restrict(['src/**/*.ts'], [FASTIFY]),
  restrict(['src/upstream/{outcome,verdicts,classify,exchange}.ts'], [FASTIFY, UNDICI]),
  restrict(['src/protocol/**/*.ts', 'src/agent/**/*.ts'], [FASTIFY, NODE], [PROCESS, 'Buffer']),
  restrict(['plugins/**/*.ts'], [SIBLING], undefined, ['plugins/tool-service.ts']),
  restrict(['plugins/tool-service.ts', 'index.ts'], []),
  { files: ['example-tools/**/*.ts'], rules: { 'no-restricted-imports': ['error', { patterns: [PATHS] }] } },
  restrict(['example-tools/**/*.ts'], [PATHS], undefined, ['**/server.ts', 'example-tools/demo.ts'])
]
