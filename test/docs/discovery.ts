import { decide } from 'candor/agent'
import { fakeUpstreams } from 'candor/testing'
import t from 'tap'
import { answerAnthropic, anthropicTools } from '../../docs/guide/discovery/anthropic.js'
import { withMcp } from '../../docs/guide/discovery/mcp.js'
import { answerOpenai, openaiTools } from '../../docs/guide/discovery/openai.js'
import { operationsOf } from '../../docs/guide/discovery/openapi.js'
import { currencyService } from '../../example-tools/currency/tool.js'

const names = ['convert_currency', 'exchange_rates', 'list_currencies']
const right = { amount: 100, from: 'EUR', to: 'USD' }
const wrong = { amount: 0, from: 'EUR', to: 'USD' }

const app = await currencyService()
app.log.level = 'silent'
t.teardown(() => app.close())
fakeUpstreams(app, {
  rates: {
    'GET /v1/latest': { json: { amount: 1, base: 'EUR', date: '2026-11-27', rates: { USD: 1.1327 } } },
    'GET /v1/currencies': { json: { EUR: 'Euro', USD: 'United States Dollar' } }
  }
})
const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 })

t.test('an agent that reads OpenAPI finds what can be called', async t => {
  const operations = await operationsOf(baseUrl)
  t.strictSame(operations.map(({ name }) => name), names)
  const { url, effect } = operations[0]!
  t.equal(effect, 'read')
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(right) })
  t.match(await response.json(), { success: true, data: { result: 113.27 } })
})

t.test('an agent with OpenAI tools gets its answer, and a refusal it can act on', async t => {
  t.strictSame((await openaiTools(baseUrl)).map(tool => tool.function.name), names)
  const call = (input: object) => ({ id: 'call_1', type: 'function', function: { name: 'convert_currency', arguments: JSON.stringify(input) } }) as const
  const message = await answerOpenai(baseUrl, call(right))
  t.match(message, { role: 'tool', tool_call_id: 'call_1' })
  t.match(JSON.parse(message.content), { success: true, data: { result: 113.27 } })
  t.match(JSON.parse((await answerOpenai(baseUrl, call(wrong))).content), { success: false, error: { code: 'AMOUNT_NOT_POSITIVE', retryable: false } })
})

t.test('an agent with Anthropic tools gets the same', async t => {
  t.strictSame((await anthropicTools(baseUrl)).map(({ name }) => name), names)
  const use = (input: object) => ({ type: 'tool_use', id: 'toolu_1', name: 'convert_currency', input }) as const
  t.match(await answerAnthropic(baseUrl, use(right)), { type: 'tool_result', tool_use_id: 'toolu_1', is_error: false })
  t.match(await answerAnthropic(baseUrl, use(wrong)), { is_error: true, content: /AMOUNT_NOT_POSITIVE/ })
})

t.test('an MCP client gets the same, and decides as over HTTP', async t => {
  await withMcp(baseUrl, async client => {
    t.strictSame((await client.listTools()).tools.map(({ name }) => name), names)
    t.match(await client.callTool({ name: 'convert_currency', arguments: right }), { structuredContent: { success: true, data: { result: 113.27 } } })
    const refused = await client.callTool({ name: 'convert_currency', arguments: wrong })
    t.match(refused, { isError: true, structuredContent: { success: false, error: { code: 'AMOUNT_NOT_POSITIVE' } } })
    t.match(decide({ body: refused.structuredContent }, { effect: 'read', attempts: 1 }), { action: 'stop' })
  })
})
