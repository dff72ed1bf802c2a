import type { Capability } from '../capability/define.js'
import { createToolError, type ToolError } from '../protocol/tool-error.js'
import type { Exchange } from '../upstream/exchange.js'

/** What a success is judged by. */
export interface Claim {
  readonly capability: Capability
  readonly exchanges: readonly Exchange[]
  /** Did the handler say that the data was kept from before? */
  readonly cached: boolean
  /** Why no upstream had to be asked, if the handler said so. */
  readonly derived: string | undefined
}

/** The failure to say instead of a success that nothing supports; `undefined` where the claim stands. */
export function judge ({ capability, exchanges, cached, derived }: Claim): ToolError | undefined {
  if (capability.evidence !== 'upstream' || cached || derived !== undefined) return undefined
  if (exchanges.some(exchange => exchange.declared && exchange.success)) return undefined
  return createToolError({
    code: 'UNSUPPORTED_SUCCESS',
    category: 'SERVICE_ERROR',
    status: 500,
    message: 'The tool has an answer that no source stands behind, so it is not shown.',
    details: { hint: 'Report the request id to the people who run this tool.' },
    cause: new Error(`${capability.name} declares evidence: 'upstream', and none of ${capability.upstreams.join(', ')} answered this call with success.`)
  })
}
