import t from 'tap'
import { Directory } from '../../../src/upstream/directory.js'

const directory = new Directory([
  { label: 'root', origin: 'https://api.example', prefix: '', simulated: false },
  { label: 'billing', origin: 'https://api.example', prefix: '/billing', simulated: true },
  { label: 'any', origin: undefined, prefix: '', simulated: false },
  { label: 'rates', origin: 'https://rates.example', prefix: '/v1', simulated: false }
])

t.test('an upstream is known by its origin', async t => {
  t.strictSame(directory.find('https://rates.example', '/v1/latest', ['rates']), { label: 'rates', declared: true, simulated: false })
  t.strictSame(directory.find('https://rates.example', '/v1/latest', []), { label: 'rates', declared: false, simulated: false })
  t.equal(directory.find('https://elsewhere.example', '/', ['rates']), undefined)
})

t.test('a path that no base path fits is still on that host', async t => {
  t.match(directory.find('https://rates.example', '/v2', ['rates']), { label: 'rates', declared: true })
})

t.test('of two upstreams on one host the base path decides, then what is declared', async t => {
  t.match(directory.find('https://api.example', '/billing/7', ['root', 'billing']), { label: 'billing', declared: true, simulated: true })
  t.match(directory.find('https://api.example', '/users', ['root', 'billing']), { label: 'root', declared: true })
  t.match(directory.find('https://api.example', '/users', ['billing']), { label: 'root', declared: false })
  t.match(directory.find('https://api.example', '/billing?all', ['billing']), { label: 'billing', declared: true })
  t.match(directory.find('https://api.example', '/billings', ['billing']), { label: 'root', declared: false }, 'a longer word')
  t.match(directory.find('https://api.example', '/billing/7', ['root']), { label: 'root', declared: true })
  t.match(directory.find('https://api.example', '/users', []), { label: 'root', declared: false })
})
