import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Service } from '../src/call/service.js'
import type { Capability } from '../src/capability/define.js'
import type { LimitOptions } from '../src/policy/limit-options.js'

/** How much may be asked. */
export interface LimitsPluginOptions {
  limits: LimitOptions
  capabilities: readonly Capability[]
  /** Its calls are counted from now on. */
  service: Service
}

/** Counts calls, and refuses requests while the process is past its bounds. */
export const limits = fp(async (_app: FastifyInstance, _options: LimitsPluginOptions) => {

}, { name: 'candor-limits', fastify: '5.x', decorators: { reply: ['sendToolError'] } })
