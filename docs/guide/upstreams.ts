import { Type } from '@sinclair/typebox'
import { createToolService, defineCapability } from 'candor'

const Invoice = Type.Object({ id: Type.String({ description: 'Number of the invoice' }), total: Type.Number({ description: 'In euros' }) })

/** A read: one request, its shape declared, its 404 mapped to an error the caller can act on. */
export const getInvoice = defineCapability({
  name: 'get_invoice',
  description: 'One invoice by its number. Required: number.',
  effect: 'read',
  evidence: 'upstream',
  upstreams: ['billing'],
  input: Type.Object({ number: Type.String({ minLength: 1, maxLength: 40, description: 'As printed on the invoice', examples: ['2026-0017'] }) }),
  output: Invoice,
  errors: { INVOICE_NOT_FOUND: { category: 'NOT_FOUND', description: 'No invoice has this number.' } },
  async handler ({ number }, call) {
    const { data } = await call.upstream('billing').get('/v2/invoices/{number}', {
      params: { number },
      schema: Invoice,
      errors: { 404: 'INVOICE_NOT_FOUND' }
    })
    return data
  }
})

/** A write: what becomes of it when the answer is lost is worked out from what was sent. */
export const sendInvoice = defineCapability({
  name: 'send_invoice',
  description: 'Sends an invoice to its customer. Required: number.',
  effect: 'write',
  upstreams: ['billing'],
  input: Type.Object({ number: Type.String({ minLength: 1, maxLength: 40, description: 'As printed on the invoice' }) }),
  output: Type.Object({ sent: Type.Boolean({ description: 'Always true' }) }),
  async handler ({ number }, call) {
    await call.upstream('billing').post('/v2/invoices/{number}/send', { params: { number } })
    return { sent: true }
  }
})

/** The service: where the upstream is, how long it may take, and how it says no. */
export async function billingService (baseUrl: string, token: () => Promise<string>) {
  return await createToolService({
    name: 'billing-tool',
    version: '1.0.0',
    capabilities: [getInvoice, sendInvoice],
    upstreams: {
      billing: {
        baseUrl,
        auth: token,
        timeoutMs: 8_000,
        maxConcurrent: 20,
        refusal: ({ data }) => (data as { status?: string } | undefined)?.status === 'OVER_QUERY_LIMIT' ? { status: 429 } : undefined
      }
    }
  })
}
