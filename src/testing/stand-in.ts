import { Agent, buildConnector, getGlobalDispatcher, setGlobalDispatcher, type Dispatcher } from 'undici'
import type { Upstream } from '../upstream/client.js'
import { testAuthority } from './certificates.js'
import { FunctionDispatcher } from './fake-answer.js'
import type { SentRequest } from './leaks.js'
import { headersIn } from './request-headers.js'
import type { Behaviour } from './rogue-behaviours.js'
import { createRogueServer, type RogueServer } from './rogue-server.js'

/** A body without end is ended here for clients without a limit. */
const MAX_BODY_BYTES = 8 * 1024 * 1024

/** A rogue server in an upstream's place. */
export interface StandIn {
  /** What it was sent through our client, and through others. */
  readonly ours: readonly SentRequest[]
  readonly others: readonly SentRequest[]
  /** Puts the upstream back and ends the rogue. */
  end (): Promise<void>
}

/**
 * Puts a rogue server in the place of an upstream: for `call.upstream`, and for fetch and undici where they send through the
 * global dispatcher. Requests keep their address and only connect elsewhere, so that all who look on see the upstream.
 */
export async function standIn (upstreams: readonly Upstream[], behaviour: Behaviour, timeoutMs: number): Promise<StandIn> {
  const rogue = await createRogueServer(behaviour)
  const agent = new Agent({ connect: connectorTo(rogue, timeoutMs), maxResponseSize: MAX_BODY_BYTES })
  const [ours, others]: [SentRequest[], SentRequest[]] = [[], []]
  const restores = upstreams.map(upstream => upstream.divert(new FunctionDispatcher((options, handler) => {
    ours.push(sentRequest(options))
    return agent.dispatch(options, handler)
  }), timeoutMs))
  const before = getGlobalDispatcher()
  setGlobalDispatcher(new FunctionDispatcher((options, handler) => {
    if (!upstreams.some(upstream => isTo(upstream, options))) return before.dispatch(options, handler)
    others.push(sentRequest(options))
    return agent.dispatch({ ...options, headersTimeout: timeoutMs, bodyTimeout: timeoutMs }, handler)
  }))
  return {
    ours,
    others,
    async end () {
      setGlobalDispatcher(before)
      for (const restore of restores) restore()
      await agent.destroy()
      await rogue.close()
    }
  }
}

/** Whatever address is asked for, the connection goes to the rogue, in the way that the rogue is to be spoken to. */
function connectorTo ({ url }: RogueServer, timeout: number): buildConnector.connector {
  const { protocol, hostname, port, host } = new URL(url)
  const connect = buildConnector({ ca: testAuthority, timeout })
  return (options, callback) => connect({ ...options, protocol, hostname, host, port, servername: undefined }, callback)
}

function isTo ({ target }: Upstream, { origin, path }: Dispatcher.DispatchOptions): boolean {
  return target.origin !== undefined && String(origin) === target.origin && path.startsWith(target.prefix)
}

function sentRequest ({ method, path, headers }: Dispatcher.DispatchOptions): SentRequest {
  return { method, path, headers: headersIn(headers) }
}
