import Fastify, { type FastifyReply } from 'fastify'
import t, { type Test } from 'tap'
import { isSecured, SecureResponse, setHeaders } from '../../../src/call/secure-response.js'
import { securityHeaders } from '../../../src/protocol/headers.js'
import { listen, request, sendRaw, type RawAnswer } from '../../fixtures/raw.js'

const own = { 'content-type': 'text/plain', 'x-request-id': 'r-1' }
const headers = { ...securityHeaders, ...own }

/** What a client is sent, and how often each of the security headers stands in it. */
async function answerOf (t: Test, respond: (reply: FastifyReply) => void, onSend?: (reply: FastifyReply) => void): Promise<{ answer: RawAnswer, times: number[] }> {
  const app = Fastify({ http: { ServerResponse: SecureResponse } })
  t.teardown(() => app.close())
  app.addHook('onSend', async (_, reply) => { onSend?.(reply) })
  app.get('/', (_, reply) => { respond(reply) })
  const answer = await sendRaw(await listen(app), request('GET', '/'))
  return { answer, times: Object.keys(securityHeaders).map(name => answer.text.toLowerCase().split(`${name}: `).length - 1) }
}

t.test('an answer carries the security headers, once each, beside its own', async t => {
  const { answer, times } = await answerOf(t, reply => {
    setHeaders(reply, { own, headers })
    t.ok(isSecured(reply.raw))
    t.match(reply.getHeaders(), { 'content-type': 'text/plain', 'x-request-id': 'r-1', 'cache-control': undefined }, 'written by the response itself')
    reply.code(201).send('hello')
  })
  t.match(answer, { status: 201, headers, body: 'hello' })
  t.strictSame(times, [1, 1, 1, 1, 1])
})

t.test('what a hook sets on an answer that is on its way takes the place of a security header', async t => {
  for (const onSend of [(reply: FastifyReply) => reply.header('Cache-Control', 'max-age=60'), (reply: FastifyReply) => reply.raw.setHeader('Cache-Control', 'max-age=60')]) {
    const { answer, times } = await answerOf(t, reply => { setHeaders(reply, { own, headers }); reply.send('hello') }, onSend)
    t.match(answer.headers, { ...headers, 'cache-control': 'max-age=60' })
    t.strictSame(times, [1, 1, 1, 1, 1])
  }
})

t.test('an answer replaces what was set before it', async t => {
  const { answer, times } = await answerOf(t, reply => { reply.header('cache-control', 'max-age=60'); setHeaders(reply, { own, headers }); reply.send('hello') })
  t.match(answer.headers, headers)
  t.strictSame(times, [1, 1, 1, 1, 1])
})

t.test('a response that is not asked for them has none of them', async t => {
  const { times } = await answerOf(t, reply => {
    t.notOk(isSecured(reply.raw))
    reply.send('hello')
  })
  t.strictSame(times, [0, 0, 0, 0, 0])
})

t.test('where the server makes other responses, all headers are set one by one', async t => {
  const app = Fastify()
  app.get('/', (_, reply) => {
    setHeaders(reply, { own, headers })
    t.notOk(isSecured(reply.raw))
    reply.send('hello')
  })
  t.match((await app.inject('/')).headers, headers)
  t.match((await sendRaw(await listen(app), request('GET', '/'))).headers, headers)
  await app.close()
})
