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

/** `GET /openapi.json`: every capability as OpenAPI 3.1. Made once, at start, so that a document that cannot be made stops it. */
export const openapi = fp(async (app: FastifyInstance, options: OpenapiOptions) => {
  const document = JSON.stringify(openapiDocument(options))
  app.get('/openapi.json', (_, reply) => reply.type('application/json; charset=utf-8').send(document))
}, { name: 'candor-openapi', fastify: '5.x' })
