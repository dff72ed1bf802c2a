import t from 'tap'
import { redactRecord } from '../../../src/protocol/redact-record.js'

const text = (value: string): string => value.replaceAll('12345678', '[redacted]')
const redact = (value: unknown): unknown => redactRecord(value, { text })

t.test('what stands under the name of a credential is taken out at any depth, whatever it is', async t => {
  t.strictSame(redact({ a: [{ Password: 'x', 'X-API-Key': 5, refresh_token: ['a'], auth: { user: 'u' }, n: 1 }], 'set-cookie': ['a=b'] }), {
    a: [{ Password: '[redacted]', 'X-API-Key': '[redacted]', refresh_token: '[redacted]', auth: '[redacted]', n: 1 }], 'set-cookie': '[redacted]'
  })
})

t.test('the rest keeps its shape', async t => {
  const record = { n: 1, yes: true, none: null, list: [1, 'a', {}], max_tokens: 5, token_count: 2, author: 'me', token: null, secret: '', password: false }
  t.strictSame(redact(record), record)
  t.strictSame(Object.keys(redact(record) as object), Object.keys(record))
  t.equal(redact(null), null)
})

t.test('texts, keys and numbers are looked through', async t => {
  t.strictSame(redact({ 12345678: 12345678, a: 'is 12345678' }), { '[redacted]': '[redacted]', a: 'is [redacted]' })
  t.strictSame(redactRecord({ 12345678: 'a' }, { text, key: key => key }), { 12345678: 'a' })
})

t.test('headers are known in every form that clients keep them in', async t => {
  t.strictSame(redact({ rawHeaders: ['Host', 'h', 'Authorization', 'Bearer x', 'odd'], headers: [['cookie', 'a=b'], ['host', 'h']], list: ['token', 'b'] }), {
    rawHeaders: ['Host', 'h', 'Authorization', '[redacted]', 'odd'], headers: [['cookie', '[redacted]'], ['host', 'h']], list: ['token', 'b']
  })
  t.strictSame(redact([{ name: 'authorization', value: 'x' }, { name: 'host', value: 'h' }, { name: 5, value: 'h' }]), [{ name: 'authorization', value: '[redacted]' }, { name: 'host', value: 'h' }, { name: 5, value: 'h' }])
})

t.test('what an author calls secret is hidden even where it is yes or no', async t => {
  t.strictSame(redactRecord({ insured: true, token: true, a: null }, { text, isSecret: () => true }), { insured: '[redacted]', token: '[redacted]', a: null })
})

t.test('a key that would be a trap stays a key', async t => {
  const clean = redact(JSON.parse('{"__proto__":{"a":1}}')) as object
  t.ok(Object.hasOwn(clean, '__proto__'))
})

t.test('a credential beside its name is known in any letter case', async t => {
  for (const [name, value] of [['Name', 'Value'], ['field', 'value'], ['KEY', 'VALUE'], ['header', 'value']] as const) t.strictSame(redact({ [name]: 'password', [value]: 'x', n: 1 }), { [name]: 'password', [value]: '[redacted]', n: 1 })
})

t.test('bytes that hold a secret are taken out', async t => {
  const bytes = Buffer.from('is 12345678')
  t.strictSame(redact(JSON.parse(JSON.stringify({ a: bytes, b: new Uint8Array(bytes), c: Buffer.from('nothing'), d: [1, 2, 3, 4] }))), { a: { type: 'Buffer', data: '[redacted]' }, b: '[redacted]', c: { type: 'Buffer', data: [...Buffer.from('nothing')] }, d: [1, 2, 3, 4] })
})
