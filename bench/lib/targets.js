// What is promised, as data: two rows, how they are compared, the worst that is allowed and what is aimed at.

/** `per` is the figure that is compared; with `atMost` a smaller ratio is better. */
export const targets = [
  { what: 'success, against raw Fastify with schemas', of: 'candor', to: 'raw Fastify with schemas', per: 'perSecond', worst: 0.60, aim: 0.80 },
  { what: "the same with evidence: 'none'", of: "candor, evidence: 'none'", to: 'raw Fastify with schemas', per: 'perSecond', worst: 0.75, aim: 0.90 },
  { what: 'success, against Fastify with the usual plugins', of: 'candor', to: 'Fastify with the usual plugins', per: 'perSecond', worst: 2.0, aim: 2.75 },
  { what: "validation failure, against raw Fastify's own", of: 'candor, validation failure', to: 'raw Fastify, validation failure', per: 'perSecond', worst: 1.2, aim: 1.6 },
  { what: 'validation failure, against success', of: 'candor, validation failure', to: 'candor, success beside failures', per: 'perSecond', worst: 0.85, aim: 1.0 },
  { what: 'declared error, against success', of: 'candor, declared error', to: 'candor, success beside failures', per: 'perSecond', worst: 0.85, aim: 1.0 },
  { what: 'CPU of an upstream call, against a bare pool.request', of: 'candor, upstream success', to: 'raw Fastify, upstream success', per: 'cpuMicros', atMost: true, worst: 1.3, aim: 1.1 },
  { what: 'MCP tools/call, against the faster SDK', of: 'candor, tools/call', to: ['MCP SDK 1, tools/call', 'MCP SDK 2, tools/call', 'fastmcp, tools/call'], per: 'perSecond', worst: 4, aim: 9 },
  { what: 'MCP tools/call of 2026, against the SDK', of: 'candor, tools/call of 2026', to: 'MCP SDK 2, tools/call of 2026', per: 'perSecond', worst: 4, aim: 9 },
  { what: 'CPU of a call at 5,000 capabilities, HTTP, against 1', of: 'candor, HTTP, 5000 capabilities', to: 'candor, HTTP, 1 capabilities', per: 'cpuMicros', atMost: true, worst: 1.1, aim: 1.0 },
  { what: 'CPU of a call at 5,000 capabilities, MCP, against 1', of: 'candor, MCP, 5000 capabilities', to: 'candor, MCP, 1 capabilities', per: 'cpuMicros', atMost: true, worst: 1.1, aim: 1.0 },
  { what: 'p99 at 50 connections, against raw Fastify', of: 'candor', to: 'raw Fastify with schemas', per: 'p99Ms', atMost: true, worst: 1.6, aim: 1.2 },
  { what: 'memory after load, against raw Fastify', of: 'candor', to: 'raw Fastify with schemas', per: 'rss', atMost: true, worst: 1.25, aim: 1.1 }
]

/** The same for figures that are no ratio; `figures` are those of `whole.js`. */
export const bounds = [
  { what: 'start to first answer, 1,000 capabilities above 1, in s', read: figures => figures.startSeconds[1_000] - figures.startSeconds[1], worst: 0.2, aim: 0.05 },
  { what: 'heap of a capability not yet called, in KB', read: figures => figures.heapPerCapability / 1024, worst: 8, aim: 2 },
  { what: 'growth of the heap over all calls, in MB', read: figures => figures.heapGrowth / 2 ** 20, worst: 1, aim: 0 }
]
