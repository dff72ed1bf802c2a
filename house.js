// The layout as data: which folder may import which. Read by eslint.config.js, and by the test that plants a forbidden import.

/** Folders of `src/`, lowest first: each imports only from those above it in this list. */
export const layers = ['protocol', 'schema', 'upstream', 'capability', 'policy', 'call', 'redis', 'testing', 'agent']

/** The agent's side stands apart: it imports the protocol and the schema helpers alone. */
const agentMayImport = ['protocol', 'schema']

const above = (layer) => layer === 'agent' ? agentMayImport : layers.slice(0, layers.indexOf(layer))

const outside = ['./index.ts', './plugins', './bin', './example-tools', './test']

/** Zones for import-x/no-restricted-paths: `target` may import nothing of `from`. */
export const importZones = [
  ...layers.map(layer => ({
    target: `./src/${layer}`,
    from: [...layers.filter(other => other !== layer && !above(layer).includes(other)).map(other => `./src/${other}`), ...outside],
    message: `src/${layer} imports only from ${above(layer).map(name => `src/${name}`).join(', ') || 'itself'}.`
  })),
  { target: './plugins', from: ['./index.ts', './bin', './example-tools', './test'], message: 'plugins/ imports from src/ alone.' },
  { target: './index.ts', from: ['./bin', './example-tools', './test'], message: 'index.ts imports from src/ and plugins/ alone.' },
  { target: './bin', from: ['./test'], message: 'bin/ imports no test.' },
  { target: './example-tools', from: ['./test', './bin'], message: 'Examples import `candor` by name.' }
]
