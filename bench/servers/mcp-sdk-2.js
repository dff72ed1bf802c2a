// The second SDK of MCP, by its own handler on node:http: a server for each request.
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { createServer } from 'node:http'
import { z } from 'zod'
import { forecast, listen, option } from './lib.js'

const inputSchema = z.object({ city: z.string().min(1).max(200), days: z.int().min(1).max(14) })
const outputSchema = z.object({ city: z.string(), country: z.string(), latitude: z.number(), longitude: z.number(), days: z.int(), temperature: z.number(), humidity: z.number(), observed: z.string() })
const tools = Number(option('capabilities', '1'))

const handler = toNodeHandler(createMcpHandler(() => {
  const server = new McpServer({ name: 'bench', version: '1.0.0' })
  for (let i = 0; i < tools; i++) {
    server.registerTool(i === 0 ? 'forecast' : `forecast_${i}`, { description: 'Weather of the coming days.', inputSchema, outputSchema }, async given => {
      const data = forecast(given)
      return { content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: data }
    })
  }
  return server
}))
listen(createServer((request, response) => { handler(request, response) }))
