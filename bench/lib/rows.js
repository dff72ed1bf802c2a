// What is measured, as data: a server, a request, and what has to come back before anything is counted.
import { input } from '../servers/lib.js'

const json = { 'content-type': 'application/json' }
const post = (path, body, headers = {}) => ({ method: 'POST', path, headers: { ...json, ...headers }, body: JSON.stringify(body) })
const get = path => ({ method: 'GET', path, headers: {} })

const wrong = { city: 'London, United Kingdom', days: 30 }
const good = { expect: { status: 200, text: '"humidity":61' } }
const invalid = { expect: { status: 400, text: '' } }

const plain = post('/forecast', input)
const plainWrong = post('/forecast', wrong)
const call = (name, given = input) => post(`/api/capabilities/${name}`, given)

const accept = { accept: 'application/json, text/event-stream' }
const legacy = { ...accept, 'mcp-protocol-version': '2025-11-25' }
const modern = (method, name) => ({ ...accept, 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...(name !== undefined && { 'mcp-name': name }) })
const meta = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' }, 'io.modelcontextprotocol/clientCapabilities': {} } }
const rpc = (method, params) => ({ jsonrpc: '2.0', id: 1, method, params })
const toolsCall = post('/mcp', rpc('tools/call', { name: 'forecast', arguments: input }), legacy)
const toolsList = post('/mcp', rpc('tools/list', {}), legacy)
const modernCall = post('/mcp', rpc('tools/call', { name: 'forecast', arguments: input, ...meta }), modern('tools/call', 'forecast'))

const many = count => [`--capabilities=${count}`]

/** `set` groups rows that are measured in turn with each other. `core` rows are those whose ratios are promised. */
export const rows = [
  { name: 'bare node:http with Ajv', set: 'success', server: 'bare.js', request: plain, ...good },
  { name: 'raw Fastify with schemas', set: 'success', server: 'fastify-raw.js', request: plain, ...good },
  { name: 'Fastify with the usual plugins', set: 'success', server: 'fastify-usual.js', request: plain, ...good },
  { name: 'Hono with zod-openapi', set: 'success', server: 'hono.js', request: plain, ...good },
  { name: 'Express with zod', set: 'success', server: 'express.js', request: plain, ...good },
  { name: 'candor', set: 'success', server: 'candor.js', request: call('forecast'), ...good },
  { name: "candor, evidence: 'none'", set: 'success', server: 'candor.js', args: ['--off=evidence'], request: call('forecast'), ...good },

  { name: 'raw Fastify, validation failure', set: 'failure', server: 'fastify-raw.js', request: plainWrong, ...invalid },
  { name: 'Hono, validation failure', set: 'failure', server: 'hono.js', request: plainWrong, ...invalid },
  { name: 'Express, validation failure', set: 'failure', server: 'express.js', request: plainWrong, ...invalid },
  { name: 'candor, success beside failures', set: 'failure', server: 'candor.js', request: call('forecast'), ...good },
  { name: 'candor, validation failure', set: 'failure', server: 'candor.js', request: call('forecast', wrong), expect: { status: 400, text: 'an integer from 1 to 14' } },
  { name: 'candor, declared error', set: 'failure', server: 'candor.js', request: call('forecast', { city: 'Nowhere', days: 3 }), expect: { status: 404, text: 'CITY_NOT_FOUND' } },

  { name: 'raw Fastify, upstream success', set: 'upstream', server: 'fastify-raw.js', upstream: true, request: post('/asking', input), ...good },
  { name: 'candor, upstream success', set: 'upstream', server: 'candor.js', upstream: true, request: call('asking'), ...good },
  { name: 'raw Fastify, upstream 503', set: 'upstream', server: 'fastify-raw.js', upstream: true, request: post('/failing', input), expect: { status: 502, text: '' } },
  { name: 'candor, upstream 503', set: 'upstream', server: 'candor.js', upstream: true, request: call('failing'), expect: { status: 502, text: 'UPSTREAM_UNAVAILABLE' } },

  { name: 'candor, list of 100 capabilities', set: 'discovery', server: 'candor.js', args: many(100), request: get('/api/capabilities'), expect: { status: 200, text: 'forecast_99' } },
  { name: 'candor, OpenAPI of 100 capabilities', set: 'discovery', server: 'candor.js', args: many(100), request: get('/openapi.json'), expect: { status: 200, text: 'forecast_99' } },
  { name: 'candor, MCP tools/list of 100', set: 'discovery', server: 'candor.js', args: many(100), request: toolsList, expect: { status: 200, text: 'forecast_99' } },

  { name: 'MCP SDK 1, tools/call', set: 'mcp', server: 'mcp-sdk-1.js', request: toolsCall, expect: { status: 200, text: 'humidity' } },
  { name: 'MCP SDK 2, tools/call', set: 'mcp', server: 'mcp-sdk-2.js', request: toolsCall, expect: { status: 200, text: 'humidity' } },
  { name: 'MCP SDK 2, tools/call of 2026', set: 'mcp', server: 'mcp-sdk-2.js', request: modernCall, expect: { status: 200, text: 'humidity' } },
  { name: 'fastmcp, tools/call', set: 'mcp', server: 'fastmcp.js', request: toolsCall, expect: { status: 200, text: 'humidity' } },
  { name: 'candor, tools/call', set: 'mcp', server: 'candor.js', request: toolsCall, expect: { status: 200, text: 'humidity' } },
  { name: 'candor, tools/call of 2026', set: 'mcp', server: 'candor.js', request: modernCall, expect: { status: 200, text: 'humidity' } },

  ...[1, 100, 1_000, 5_000].flatMap(count => [
    { name: `candor, HTTP, ${count} capabilities`, set: 'scale', server: 'candor.js', args: many(count), request: call('forecast'), ...good },
    { name: `candor, MCP, ${count} capabilities`, set: 'scale', server: 'candor.js', args: many(count), request: toolsCall, expect: { status: 200, text: 'humidity' } }
  ]),
  { name: 'MCP SDK 1, 1000 tools', set: 'scale', server: 'mcp-sdk-1.js', args: many(1_000), request: toolsCall, expect: { status: 200, text: 'humidity' } },

  { name: 'candor, all on', set: 'ablation', server: 'candor.js', request: call('forecast'), ...good },
  ...['validation', 'output check', 'mock markers', 'evidence', 'deadline', 'request id', 'security headers', 'metrics', 'log'].map(name => ({ name: `candor without ${name}`, set: 'ablation', server: 'candor.js', args: [`--off=${name}`], request: call('forecast'), ...good }))
]
