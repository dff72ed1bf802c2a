// The official clients of MCP, of both lines, over real sockets: what they make of our answers.
import { Client, StreamableHTTPClientTransport, type CallToolResult } from '@modelcontextprotocol/client'
// The resolver of the linter puts `.ts` in the place of `.js` in this package's own map of paths, and finds nothing.
// eslint-disable-next-line import-x/no-unresolved
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
// eslint-disable-next-line import-x/no-unresolved
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { defineCapability } from 'candor'
import { build, call } from '../fixtures/build.js'
import { listen } from '../fixtures/raw.js'

process.on('warning', warning => t.fail(warning.message))

interface Progress { progress: number, total?: number, message?: string }
interface CallOptions { onprogress?: (progress: Progress) => void, signal?: AbortSignal }

/** One client, connected. */
interface Session {
  revision: string | undefined
  list (): Promise<Array<{ name: string, [field: string]: any }>>
  call (name: string, input?: Record<string, unknown>, options?: CallOptions): Promise<CallToolResult>
}

type Connect = (t: Test, url: URL) => Promise<Session>

function current (options: ConstructorParameters<typeof Client>[1]): Connect {
  return async (t, url) => {
    const client = new Client({ name: 'test', version: '1' }, options)
    await client.connect(new StreamableHTTPClientTransport(url))
    t.teardown(() => client.close())
    return {
      revision: client.getNegotiatedProtocolVersion(),
      list: async () => (await client.listTools()).tools,
      call: async (name, input = {}, options = {}) => await client.callTool({ name, arguments: input }, options) as CallToolResult
    }
  }
}

const old: Connect = async (t, url) => {
  const client = new OldClient({ name: 'test', version: '1' })
  const transport = new OldTransport(url)
  await client.connect(transport)
  t.teardown(() => client.close())
  return {
    revision: transport.protocolVersion,
    list: async () => (await client.listTools()).tools,
    call: async (name, input = {}, options = {}) => await client.callTool({ name, arguments: input }, undefined, options) as CallToolResult
  }
}

const clients: Array<[name: string, connect: Connect, revision: string]> = [
  ['client 2', current({}), '2025-11-25'],
  ['client 2, negotiating', current({ versionNegotiation: { mode: 'auto' } }), '2026-07-28'],
  ['sdk 1', old, '2025-11-25']
]

const description = 'For tests.'
const Nothing = Type.Object({})
const Text = Type.Object({ text: Type.Optional(Type.String({ description })) })
const signs: { begin?: () => void, ended?: (reason: unknown) => void } = {}

const capabilities = [
  defineCapability({
    name: 'find_place',
    description,
    effect: 'read',
    evidence: 'none',
    input: Type.Object({ place: Type.String({ description }) }),
    output: Type.Object({ position: Type.Tuple([Type.Number(), Type.Number()], { description }), tags: Type.Array(Type.String(), { description }) }),
    errors: { PLACE_NOT_FOUND: { category: 'NOT_FOUND', retryable: true, description: 'No place has this name.', hint: 'Use "City, Country".' } },
    async handler ({ place }, call) {
      if (place === 'Nowhere') throw call.error('PLACE_NOT_FOUND', { message: "No place matches 'Nowhere'.", retryAfterMs: 60_000, details: { original_place: place } })
      if (place === 'bug') throw new Error('SELECT * FROM secrets')
      return { position: [52.5, 13.4] as [number, number], tags: ['city'] }
    }
  }),
  defineCapability({
    name: 'add_note',
    description,
    effect: 'write',
    evidence: 'none',
    input: Text,
    output: Type.Null(),
    handler: async () => null
  }),
  defineCapability({
    name: 'count_up',
    description,
    effect: 'read',
    evidence: 'none',
    input: Nothing,
    output: Nothing,
    async handler (_, call) {
      for (const done of [1, 2, 2, 3]) call.progress({ done, total: 3, message: `${done} of 3` })
      setTimeout(() => call.progress({ done: 4 }), 20)
      return {}
    }
  }),
  defineCapability({
    name: 'wait_long',
    description,
    effect: 'read',
    evidence: 'none',
    input: Nothing,
    output: Nothing,
    async handler (_, call) {
      signs.begin?.()
      await new Promise(resolve => call.signal.addEventListener('abort', resolve))
      signs.ended?.(call.signal.reason)
      return {}
    }
  })
]

for (const [name, connect, revision] of clients) {
  t.test(name, async t => {
    const { app, lines } = await build(t, { capabilities })
    const session = await connect(t, new URL(`http://127.0.0.1:${await listen(app)}/mcp`))

    t.test('speaks the revision it asks for', async t => {
      t.equal(session.revision, revision)
    })

    t.test('lists the tools with all that is declared of them', async t => {
      const tools = await session.list()
      t.strictSame(tools.map(({ name }) => name), ['add_note', 'count_up', 'find_place', 'wait_long'])
      t.match(tools[0], { annotations: { readOnlyHint: false, destructiveHint: true } })
      t.match(tools[2], {
        description,
        inputSchema: { type: 'object', required: ['place'] },
        outputSchema: { type: 'object' },
        annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
        _meta: { 'candor/errors': [{ code: 'PLACE_NOT_FOUND', status: 404, category: 'NOT_FOUND', retryable: true, hint: 'Use "City, Country".' }] }
      })
    })

    t.test('takes a success, checked by the output schema', async t => {
      const result = await session.call('find_place', { place: 'Berlin' })
      t.strictSame(result.structuredContent, { success: true, data: { position: [52.5, 13.4], tags: ['city'] } })
      t.strictSame(result.content, [{ type: 'text', text: JSON.stringify(result.structuredContent) }])
      t.notOk(result.isError)
      t.match((await session.call('add_note')).structuredContent, { success: true, data: null })
    })

    t.test('takes a failure with all its fields, as over HTTP', async t => {
      for (const [place, code] of [['Nowhere', 'PLACE_NOT_FOUND'], ['bug', 'INTERNAL_ERROR'], [5, 'INVALID_INPUT'], [undefined, 'MISSING_REQUIRED_FIELD']] as const) {
        const input = place === undefined ? {} : { place }
        const { structuredContent, content, isError } = await session.call('find_place', input)
        const { error } = structuredContent as any
        const { body } = await call(app, 'find_place', input)
        t.ok(isError)
        t.equal(error.code, code)
        t.match(error.details.request_id, /^[\w.-]{1,128}$/)
        // Its own name, and a wait that is not the same for two callers.
        for (const detail of ['request_id', 'retry_after']) if (detail in body.error.details) body.error.details[detail] = error.details[detail]
        t.strictSame(structuredContent, body)
        t.strictSame(JSON.parse((content[0] as { text: string }).text), body)
        t.notMatch(JSON.stringify(content), /SELECT/)
      }
      const { structuredContent } = await session.call('find_place', { place: 'Nowhere' })
      t.match(structuredContent, { error: { message: "No place matches 'Nowhere'.", category: 'NOT_FOUND', retryable: true, details: { original_place: 'Nowhere', hint: 'Use "City, Country".', retry_after: /^6\ds$/, next_action: 'wait_and_retry' } } })
    })

    t.test('is told near names of a tool that does not exist', async t => {
      t.match(await session.call('find_plaec'), { isError: true, structuredContent: { error: { code: 'CAPABILITY_NOT_FOUND', details: { did_you_mean: 'find_place' } } } })
    })

    t.test('hears of progress, rising, and of none after the result', async t => {
      const heard: Progress[] = []
      await session.call('count_up', {}, { onprogress: one => { heard.push(one) } })
      await new Promise(resolve => setTimeout(resolve, 60))
      t.strictSame(heard, [1, 2, 3].map(progress => ({ progress, total: 3, message: `${progress} of 3` })))
    })

    t.test('cancels a call: its signal fires, no answer follows, the next call is answered', async t => {
      const begun = new Promise<void>(resolve => { signs.begin = resolve })
      const ended = new Promise(resolve => { signs.ended = resolve })
      const controller = new AbortController()
      const result = session.call('wait_long', {}, { signal: controller.signal })
      const refused = t.rejects(result)
      await begun
      controller.abort(new Error('enough'))
      t.match(await ended, { name: 'AbortError' })
      await refused
      t.match((await session.call('add_note')).structuredContent, { success: true })
      t.match(lines.filter(({ code }) => code === 'CALLER_GONE'), [{ capability: 'wait_long' }])
    })
  })
}
