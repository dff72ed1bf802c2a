import { Type } from '@sinclair/typebox'
import t from 'tap'
import { discoveryOf, formOf } from '../../../src/call/discovery.js'
import { KeptAnswer } from '../../../src/call/kept-answer.js'
import { withInput } from '../../fixtures/tool-of.js'

const input = Type.Object({ a: Type.String() })
const discovery = discoveryOf([withInput(input, { name: 'b' }), withInput(input, { name: 'a' }), withInput(input, { name: 'hidden', hidden: true })], '/tools', () => t.fail('nothing to report'))
const read = (kept: unknown) => kept instanceof KeptAnswer ? JSON.parse(String(kept.answer(undefined).body)) : kept

t.test('the list is what is read without a format, and each vendor has its own', async t => {
  t.match(read(formOf(discovery, undefined)), [{ name: 'a', endpoint: '/tools/api/capabilities/a' }, { name: 'b' }])
  t.match(read(formOf(discovery, 'openai')), [{ type: 'function', function: { name: 'a' } }, { function: { name: 'b' } }])
  t.match(read(formOf(discovery, 'anthropic')), [{ name: 'a', input_schema: {} }, { name: 'b' }])
  t.equal(formOf(discovery, 'mcp'), formOf(discovery, 'mcp'), 'made once')
})

t.test('a form that there is not is told those that there are, and the nearest', async t => {
  const expected = 'one of "openai", "anthropic", "gemini", "mcp"'
  t.match(formOf(discovery, 'open-ai'), { code: 'INVALID_INPUT', status: 400, retryable: true, message: `format: expected ${expected}, got the string "open-ai".`, details: { field: 'format', expected, received: 'the string "open-ai"', did_you_mean: 'openai' } })
  for (const format of ['', 'constructor', '__proto__', 'xml', ['openai', 'mcp'], { a: 1 }]) {
    const failure = formOf(discovery, format) as { code: string, details: object }
    t.equal(failure.code, 'INVALID_INPUT', JSON.stringify(format))
    t.notOk('did_you_mean' in failure.details && (failure.details as { did_you_mean?: unknown }).did_you_mean !== undefined)
  }
})

t.test('each visible capability has its descriptor and its schema', async t => {
  t.strictSame([...discovery.capabilities.keys()], ['a', 'b'])
  const { descriptor, schema } = discovery.capabilities.get('a')!
  t.match(read(descriptor), { name: 'a', schema_endpoint: '/tools/api/capabilities/a/schema' })
  t.strictSame(read(schema), read(descriptor).input_schema)
})

t.test('an input that a form cannot show is reported when that form is first read', async t => {
  const reported: string[] = []
  let deep: object = { type: 'string' }
  for (let level = 0; level < 20_000; level++) deep = { type: 'array', items: deep }
  const discovery = discoveryOf([withInput({ type: 'object', properties: { a: deep } }, { name: 'bad' })], '', name => reported.push(name))
  t.strictSame(reported, [])
  for (let time = 0; time < 2; time++) t.match(read(formOf(discovery, 'gemini')), [{ name: 'bad' }])
  t.strictSame(reported, ['bad'])
})
