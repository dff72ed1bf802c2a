import { Type } from '@sinclair/typebox'
import { createToolService, defineCapability, type ToolServiceOptions } from 'candor'

/** What it needs is said where it is declared. */
export const refundOrder = defineCapability({
  name: 'refund_order',
  description: 'Refunds an order to the card it was paid with. Required: order, card.',
  effect: 'write',
  scopes: ['orders:refund'],
  rateLimit: { max: 5, windowMs: 60_000 },
  maxConcurrent: 4,
  input: Type.Object({
    order: Type.String({ pattern: '^[0-9]{8}$', maxLength: 8, description: 'Number of the order', examples: ['20260117'] }),
    card: Type.String({ pattern: '^[0-9]{4}$', maxLength: 4, description: 'Last four digits of the card', examples: ['4242'], 'x-candor-sensitive': true })
  }),
  output: Type.Object({ refunded: Type.String({ description: 'Number of the order' }) }),
  async handler ({ order }, call) {
    call.log.info({ order, by: call.principal?.id }, 'Refunded.')
    return { refunded: order }
  }
})

export const findOrders = defineCapability({
  name: 'find_orders',
  description: 'Orders of a customer. Required: customer.',
  effect: 'read',
  scopes: ['orders:read'],
  input: Type.Object({ customer: Type.String({ maxLength: 40, description: 'Number of the customer', examples: ['1007'] }) }),
  output: Type.Object({ orders: Type.Array(Type.String(), { description: 'Numbers, newest first' }) }),
  async handler () { return { orders: ['20260117'] } }
})

/** Agents of other teams with keys of their own, people's agents with tokens of the company's authorization server. */
export function ordersService (hashes: { billing: string, billingNext: string }, jwks: string, limits: ToolServiceOptions['limits'] = { rate: { max: 60, windowMs: 60_000 } }) {
  return createToolService({
    name: 'orders-tool',
    version: '1.0.0',
    capabilities: [findOrders, refundOrder],
    allowedHosts: ['orders.example.com'],
    cors: { origins: ['https://console.example.com'] },
    auth: {
      apiKeys: [
        { id: 'billing', sha256: hashes.billing, scopes: ['orders:read', 'orders:refund'], expiresAt: '2030-01-31T00:00:00Z' },
        { id: 'billing', sha256: hashes.billingNext, scopes: ['orders:read', 'orders:refund'] }
      ],
      jwt: { issuer: 'https://login.example.com', audience: 'https://orders.example.com/mcp', jwks },
      resource: 'https://orders.example.com/mcp',
      public: ['/metrics']
    },
    limits
  })
}
