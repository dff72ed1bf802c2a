// fastmcp over HTTP, stateless.
import { FastMCP } from 'fastmcp'
import { createServer } from 'node:net'
import { z } from 'zod'
import { forecast, option, ready } from './lib.js'

const parameters = z.object({ city: z.string().min(1).max(200), days: z.int().min(1).max(14) })
const server = new FastMCP({ name: 'bench', version: '1.0.0' })
const tools = Number(option('capabilities', '1'))
for (let i = 0; i < tools; i++) {
  server.addTool({ name: i === 0 ? 'forecast' : `forecast_${i}`, description: 'Weather of the coming days.', parameters, execute: async given => JSON.stringify(forecast(given)) })
}

// It has no way to say which port it was given.
const probe = createServer()
await new Promise(resolve => probe.listen(0, '127.0.0.1', resolve))
const { port } = probe.address()
await new Promise(resolve => probe.close(resolve))
await server.start({ transportType: 'httpStream', httpStream: { port, host: '127.0.0.1', stateless: true, enableJsonResponse: true } })
ready(port)
