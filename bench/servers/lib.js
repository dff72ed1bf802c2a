// What all measured servers share: the task, the socket, and the answers to the questions of the one that measures.

/** An input of two fields. */
export const input = { city: 'London, United Kingdom', days: 3 }

/** An answer of eight fields. */
export function forecast ({ city, days }) {
  return { city, country: 'United Kingdom', latitude: 51.5, longitude: -0.12, days, temperature: 18.5, humidity: 61, observed: '2026-01-01T12:00:00Z' }
}

const text = { type: 'string' }
const number = { type: 'number' }

/** The same task as JSON Schema, for those who take it; new objects each time, as capabilities of their own have. */
export const createSchemas = () => ({
  input: { type: 'object', required: ['city', 'days'], additionalProperties: false, properties: { city: { type: 'string', minLength: 1, maxLength: 200, description: 'City and country' }, days: { type: 'integer', minimum: 1, maximum: 14, description: 'How many days' } } },
  output: {
    type: 'object',
    required: ['city', 'country', 'latitude', 'longitude', 'days', 'temperature', 'humidity', 'observed'],
    // Described, as candor asks for at start: a warning for each of thousands of capabilities is no part of what is measured.
    properties: {
      city: { ...text, description: 'As it was given.' },
      country: { ...text, description: 'By its code of two letters.' },
      latitude: { ...number, description: 'In degrees.' },
      longitude: { ...number, description: 'In degrees.' },
      days: { type: 'integer', description: 'As they were given.' },
      temperature: { ...number, description: 'In °C.' },
      humidity: { ...number, description: 'In per cent.' },
      observed: { ...text, description: 'When, as a date and a time.' }
    }
  }
})

export const schemas = createSchemas()

/** An option of the command line, `--name=value`. */
export function option (name, fallback) {
  const found = process.argv.find(argument => argument.startsWith(`--${name}=`))
  return found === undefined ? fallback : found.slice(name.length + 3)
}

/** Says where the server listens, and answers how much it used until it is told to stop. `more` is said along. */
export function ready (port, more = {}) {
  process.on('message', question => {
    if (question === 'stop') process.exit(0)
    if (question === 'collect') for (let i = 0; i < 4; i++) globalThis.gc()
    const { user, system } = process.cpuUsage()
    const { heapUsed, rss } = process.memoryUsage()
    process.send({ cpuMicros: user + system, heapUsed, rss })
  })
  process.on('disconnect', () => process.exit(0))
  process.send({ port, ...more })
}

/** Listens with a server of node:http. */
export function listen (server, more) {
  server.listen(0, '127.0.0.1', () => ready(server.address().port, more))
}
