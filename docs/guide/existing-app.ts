import { Type } from '@sinclair/typebox'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify from 'fastify'
import { toolReplies } from 'candor'

const PRICES: Readonly<Record<string, number>> = { apple: 0.4, pear: 0.55 }

export async function shop () {
  const app = Fastify().withTypeProvider<TypeBoxTypeProvider>()
  await app.register(toolReplies) // before the first route
  app.setErrorHandler((error, _, reply) => reply.sendToolError(error))

  app.get('/price', { schema: { querystring: Type.Object({ item: Type.String({ maxLength: 40 }), count: Type.Integer({ minimum: 1 }) }) } }, async (request, reply) => {
    const { item, count } = request.query // string and number, from the schema
    const price = Object.hasOwn(PRICES, item) ? PRICES[item] : undefined
    if (price === undefined) {
      return reply.sendToolError({
        code: 'ITEM_NOT_FOUND',
        category: 'NOT_FOUND', // the status follows: 404
        message: `There is no '${item}' in this shop.`,
        retryable: true, // the caller can correct it
        details: { candidates: Object.keys(PRICES) }
      })
    }
    return reply.sendToolSuccess({ item, count, total: price * count })
  })

  return app
}
