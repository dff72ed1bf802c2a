import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Capability } from '../src/capability/define.js'
import type { AuthOptions } from '../src/policy/auth-options.js'

/** Who may call. */
export interface AuthPluginOptions {
  auth: AuthOptions
  /** Name of the service. */
  name: string
  /** The path before `/mcp`. */
  base: string
  capabilities: readonly Capability[]
}

/** Asks every request who makes it. */
export const auth = fp(async (_app: FastifyInstance, _options: AuthPluginOptions) => {

}, { name: 'candor-auth', fastify: '5.x', decorators: { reply: ['sendToolError'] } })
