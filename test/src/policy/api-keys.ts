import t from 'tap'
import { createKeyLookup, hashApiKey, mistakesInKeys } from '../../../src/policy/api-keys.js'

const sha256 = hashApiKey('a-long-key')

t.test('the hash of a key is its SHA-256, and what no header can hold is no key', async t => {
  t.equal(hashApiKey('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  for (const key of ['', 'two words', 'schlüssel', 'line\n', undefined]) t.throws(() => hashApiKey(key as string), new TypeError('Expected an API key to be printable ASCII characters without spaces.'))
})

t.test('a caller is known by any of its keys', async t => {
  const find = createKeyLookup([{ id: 'agent', sha256: hashApiKey('old') }, { id: 'agent', sha256: hashApiKey('new').toUpperCase(), scopes: ['read'] }, { id: 'other', sha256 }])
  t.strictSame(find('old'), { id: 'key:agent', scopes: [], claims: {} })
  t.strictSame(find('new'), { id: 'key:agent', scopes: ['read'], claims: {} })
  t.match(find('a-long-key'), { id: 'key:other' })
  for (const token of ['', 'ol', 'old ', 'OLD', sha256]) t.equal(find(token), undefined, token)
  t.equal(createKeyLookup([])('old'), undefined)
})

t.test('a key ends when it says', async t => {
  const find = createKeyLookup([{ id: 'agent', sha256, expiresAt: '2027-01-31T12:00:00Z' }])
  const end = Date.parse('2027-01-31T12:00:00Z')
  t.match(find('a-long-key', end - 1), { id: 'key:agent' })
  t.equal(find('a-long-key', end), undefined)
})

t.test('a day that no calendar has is a mistake', async t => {
  const wrong = (expiresAt: string) => mistakesInKeys([{ id: 'agent', sha256, expiresAt }])
  for (const day of ['2027-02-31', '2027-02-29', '2027-04-31T10:00Z', '2027-02-30T23:59:59.5+02:00', '2027-00-10', '2027-01-00', '2027-01-32', '2027-01-31T25:00Z']) t.match(wrong(day), [/expiresAt` to be a date/], day)
  for (const day of ['2028-02-29', '2027-12-31T23:59:59Z', '2027-01-01T00:30+02:00']) t.strictSame(wrong(day), [], day)
})

t.test('no handler can give a caller more than its key does', async t => {
  const principal = createKeyLookup([{ id: 'agent', sha256, scopes: ['read'] }])('a-long-key')!
  t.throws(() => (principal.scopes as string[]).push('admin'), TypeError)
  t.throws(() => { (principal as { id: string }).id = 'key:boss' }, TypeError)
  t.throws(() => { (principal.claims as Record<string, unknown>).admin = true }, TypeError)
})

t.test('every mistake in keys is told, by the place and without the key', async t => {
  t.strictSame(mistakesInKeys([{ id: 'agent', sha256 }, { id: 'a@b.c', sha256: hashApiKey('x'), scopes: ['a', 'b:c'], expiresAt: '2027-01-31' }]), [])
  t.match(mistakesInKeys('secret'), [/^Expected `auth.apiKeys` to be an array/])
  const mistakes = mistakesInKeys([null, { id: 'two words', sha256: 'my-secret-key', scopes: 'read', expiresAt: '2027', key: 'my-secret-key' }, { id: '', sha256: 5, scopes: ['a b'], expiresAt: '2027-13-01T00:00Z' }, { id: 'a', sha256 }, { id: 'b', sha256: sha256.toUpperCase() }])
  t.match(mistakes, [
    /keys\[0\]` to be an object/i,
    /options of `auth.apiKeys\[1\]`, got `key`/, /\[1\].id/, /\[1\].sha256` to be 64 hexadecimal digits/, /\[1\].scopes/, /\[1\].expiresAt/,
    /\[2\].id/, /\[2\].sha256/, /\[2\].scopes/, /\[2\].expiresAt/,
    'Expected `auth.apiKeys[4].sha256` to be of a key of its own, got the one of `auth.apiKeys[3]`.'
  ])
  t.notMatch(mistakes.join('\n'), /my-secret-key/)
})
