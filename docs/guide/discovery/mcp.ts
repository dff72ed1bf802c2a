import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

/** A session of an MCP client with a service: its tools, and one call. Stateless on the other side: any replica answers. */
export async function withMcp<T> (baseUrl: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ name: 'guide', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`)))
  try {
    return await use(client)
  } finally {
    await client.close()
  }
}
