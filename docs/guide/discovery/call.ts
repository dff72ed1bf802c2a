import type { Envelope } from 'candor/protocol'

/** One call of a capability, as every agent makes it: the answer is the envelope, success or not. */
export async function callTool (baseUrl: string, name: string, input: unknown): Promise<Envelope> {
  const response = await fetch(`${baseUrl}/api/capabilities/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(input)
  })
  return await response.json() as Envelope
}
