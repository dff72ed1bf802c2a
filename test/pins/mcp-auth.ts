// The official clients of MCP, of both lines, at a service that asks who calls: what a 401 leads them to, and how they come in.
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
// The resolver of the linter puts `.ts` in the place of `.js` in this package's own map of paths, and finds nothing.
// eslint-disable-next-line import-x/no-unresolved
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
// eslint-disable-next-line import-x/no-unresolved
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import t, { type Test } from 'tap'
import { build } from '../fixtures/build.js'
import { note } from '../fixtures/capabilities.js'
import { createKey, jwtOptions, sign } from '../fixtures/issuer.js'
import { listen } from '../fixtures/raw.js'

process.on('warning', warning => t.fail(warning.message))

const info = { name: 'test', version: '1' }
const lines = {
  'client 2': (url: URL, options: object) => ({ client: new Client(info), transport: new StreamableHTTPClientTransport(url, options) }),
  'sdk 1': (url: URL, options: object) => ({ client: new OldClient(info), transport: new OldTransport(url, options) })
} as const

/** An authorization server that says who it is, and what it was asked for. */
async function authorizationServer (t: Test): Promise<{ issuer: string, asked: string[] }> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url!)
    response.writeHead(request.url!.startsWith('/.well-known/') ? 200 : 404, { 'content-type': 'application/json', connection: 'close' })
      .end(JSON.stringify({ issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token`, response_types_supported: ['code'], code_challenge_methods_supported: ['S256'] }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(async () => { server.closeAllConnections(); server.close(); await once(server, 'close') })
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { issuer, asked }
}

for (const [name, open] of Object.entries(lines)) {
  t.test(`${name} is led from a 401 to the authorization server, and asks there for this service`, async t => {
    const { issuer, asked } = await authorizationServer(t)
    const { app } = await build(t, { capabilities: [{ ...note, scopes: ['write'] }], auth: { jwt: jwtOptions(await createKey(), { issuer }) } })
    const url = new URL(`http://127.0.0.1:${await listen(app)}/mcp`)
    let led: URL | undefined
    const { client, transport }: { client: any, transport: any } = open(url, {
      authProvider: {
        redirectUrl: 'http://127.0.0.1:1/callback',
        clientMetadata: { redirect_uris: ['http://127.0.0.1:1/callback'] },
        clientInformation: () => ({ client_id: 'me' }),
        saveClientInformation () {},
        tokens: () => undefined,
        saveTokens () {},
        saveCodeVerifier () {},
        codeVerifier: () => 'x',
        redirectToAuthorization (to: URL) { led = to }
      }
    })
    await t.rejects(client.connect(transport), { message: /unauthorized/i })
    t.equal(`${led?.origin}${led?.pathname}`, `${issuer}/authorize`)
    t.equal(led?.searchParams.get('resource'), url.href)
    t.equal(led?.searchParams.get('scope'), 'write')
    t.ok(asked.length > 0)
    await client.close()
  })

  t.test(`${name} comes in with a token`, async t => {
    const key = await createKey()
    const { app } = await build(t, { capabilities: [note, { ...note, name: 'pay', scopes: ['pay'] }], auth: { jwt: jwtOptions(key) } })
    const { client, transport }: { client: any, transport: any } = open(new URL(`http://127.0.0.1:${await listen(app)}/mcp`), { requestInit: { headers: { authorization: `Bearer ${await sign(key)}` } } })
    await client.connect(transport)
    t.strictSame((await client.listTools()).tools.map(({ name }: { name: string }) => name), ['note'])
    t.match(await client.callTool({ name: 'note', arguments: {} }), { structuredContent: { success: true } })
    t.match(await client.callTool({ name: 'pay', arguments: {} }), { isError: true, structuredContent: { error: { code: 'FORBIDDEN' } } })
    await client.close()
  })
}
