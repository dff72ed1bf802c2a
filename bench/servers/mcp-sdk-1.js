// The first SDK of MCP, stateless, on Express, as its examples do it: a server for each request.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import express from 'express'
import { createServer } from 'node:http'
import { z } from 'zod'
import { forecast, listen, option } from './lib.js'

const Input = { city: z.string().min(1).max(200), days: z.int().min(1).max(14) }
const Output = { city: z.string(), country: z.string(), latitude: z.number(), longitude: z.number(), days: z.int(), temperature: z.number(), humidity: z.number(), observed: z.string() }
const tools = Number(option('capabilities', '1'))

const app = express()
app.use(express.json())
app.post('/mcp', async (request, response) => {
  const server = new McpServer({ name: 'bench', version: '1.0.0' })
  for (let i = 0; i < tools; i++) {
    server.registerTool(i === 0 ? 'forecast' : `forecast_${i}`, { description: 'Weather of the coming days.', inputSchema: Input, outputSchema: Output }, async given => {
      const data = forecast(given)
      return { content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: data }
    })
  }
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse: true })
  response.on('close', () => { transport.close(); server.close() })
  await server.connect(transport)
  await transport.handleRequest(request, response, request.body)
})
listen(createServer(app))
