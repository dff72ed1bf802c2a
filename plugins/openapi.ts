import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Capability } from '../src/capability/define.js'
import { openapiDocument } from '../src/capability/openapi.js'

/** What the OpenAPI document describes. */
export interface OpenapiOptions {
  name: string
  version: string
  description?: string
  capabilities: readonly Capability[]
  /** The path before `/api`, as clients see it. */
  base: string
}

/**
 * `GET /openapi.json`: every capability as OpenAPI 3.1. Made when it is first asked for: of a thousand capabilities it takes longer
 * than all the rest of the start. What could keep it from being made was refused before, with the other mistakes.
 */
export const openapi = fp(async (app: FastifyInstance, options: OpenapiOptions) => {
  let document: string | undefined
  app.get('/openapi.json', (_, reply) => {
    document ??= JSON.stringify(openapiDocument(options))
    return reply.type('application/json; charset=utf-8').send(document)
  })
}, { name: 'candor-openapi', fastify: '5.x' })
