import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { docsHeaders, docsPage, docsScript } from '../src/call/docs-page.js'
import { KeptAnswer } from '../src/call/kept-answer.js'
import type { ServerAddress } from '../src/capability/server-address.js'

/** What the page is about. */
export interface DocsOptions {
  /** Name of the service. */
  name: string
  /** The path before `/docs`, as this app knows it. */
  base: string
  /** What the OpenAPI document names as servers. @default none */
  servers?: readonly ServerAddress[]
}

/**
 * `GET /docs`: a page to read `/openapi.json` and to try what it describes: Swagger UI, from this server alone.
 * Of `@fastify/swagger-ui` only the assets are used, read when they are first asked for.
 */
export const docs = fp(async (app: FastifyInstance, { name, base, servers }: DocsOptions) => {
  const serve = (path: string, make: () => string, type: string, own = {}): void => {
    const kept = new KeptAnswer(make, `${type}; charset=utf-8`)
    app.get(path, (request, reply) => {
      // Where Fastify takes no notice of a slash at the end, a browser does: every address in the page would lead elsewhere.
      if (path === '/docs' && request.url.split('?', 1)[0]!.endsWith('/')) return reply.redirect('../docs')
      const { status, headers, body } = kept.answer(request.headers['if-none-match'])
      return reply.code(status).headers({ ...headers, ...own }).send(body)
    })
  }
  serve('/docs', () => docsPage(name), 'text/html', docsHeaders(servers))
  serve('/docs/start.js', () => docsScript(base), 'text/javascript')
  serve('/docs/swagger-ui-bundle.js', () => asset('swagger-ui-bundle.js'), 'text/javascript')
  serve('/docs/swagger-ui.css', () => asset('swagger-ui.css'), 'text/css')
}, { name: 'candor-docs', fastify: '5.x' })

function asset (file: string): string {
  return readFileSync(createRequire(import.meta.url).resolve(`@fastify/swagger-ui/static/${file}`), 'utf8')
}
