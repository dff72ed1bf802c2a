import type { ServerAddress } from '../capability/server-address.js'

/**
 * The headers of the page: nothing is loaded from elsewhere, no script stands in the page itself and none is made from text.
 * Calls go to the service, and to the addresses that its document names.
 */
export function docsHeaders (servers: readonly ServerAddress[] = []): Record<string, string> {
  const origins = servers.filter(({ url }) => URL.canParse(url)).map(({ url }) => new URL(url).origin)
  const connect = [...new Set(["'self'", ...origins])].join(' ')
  return {
    'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src ${connect}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
  }
}

/** The page. Every address in it is relative, so that it works under any path. */
export function docsPage (title: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/swagger-ui.css">
<script src="docs/swagger-ui-bundle.js" defer></script>
<script src="docs/start.js" defer></script>
</head>
<body>
<div id="page"></div>
</body>
</html>
`
}

/**
 * What starts the page. A document that names no server means the root of its own origin; behind a proxy that takes a part of
 * the path away, what is left of the page's own path before `base` says where the service is.
 */
export function docsScript (base: string): string {
  return `'use strict'
const before = location.pathname.slice(0, -${JSON.stringify(`${base}/docs`)}.length)
SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#page',
  deepLinking: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
  responseInterceptor (response) {
    if (before === '' || !response.url.endsWith('/openapi.json') || !response.ok) return response
    const document = JSON.parse(response.text)
    document.servers ??= [{ url: before }]
    response.text = JSON.stringify(document)
    return response
  }
})
`
}
