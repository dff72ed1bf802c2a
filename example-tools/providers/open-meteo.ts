import type { FastifyReply } from 'fastify'

/** Query parameters as Fastify parses them: one that is repeated comes as an array. */
export type Query = Record<string, string | string[] | undefined>

/** A parameter as one string; repeating it is the same as joining with commas, as Open-Meteo documents for lists. */
export function param (query: unknown, name: string): string | undefined {
  const value = (query as Query)[name]
  return Array.isArray(value) ? value.join(',') : value
}

/** Open-Meteo's error body, which both its APIs share. */
export function refuse (reply: FastifyReply, reason: string, status = 400): FastifyReply {
  return reply.code(status).send({ error: true, reason })
}
