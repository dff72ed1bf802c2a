/** The path before a service's own, of the prefix that Fastify was given: `/tools` for `/tools/` too, as Fastify joins them. */
export function basePath (prefix: string): string {
  return prefix.replace(/\/+$/, '')
}
