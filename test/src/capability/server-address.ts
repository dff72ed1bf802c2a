import t from 'tap'
import { isAddresses } from '../../../src/capability/server-address.js'

t.test('URLs and paths without variables can be named as servers', async t => {
  t.ok(isAddresses([{ url: 'https://tools.example.com/weather', description: 'Production' }, { url: 'http://localhost:8080' }, { url: '/' }, { url: '/weather/' }]))
})

t.test('anything else is none', async t => {
  for (const url of ['weather', '//example.com', '', 'ftp://example.com', 'https://', 'https://a b', '/a?b', '/a#b', 'https://{host}/', 'https://example.com\\a', 5, undefined]) t.notOk(isAddresses([{ url }]), String(url))
  for (const one of ['https://example.com', null, { url: '/', description: 5 }, { url: '/', variables: {} }]) t.notOk(isAddresses([one]))
  t.notOk(isAddresses([]))
  t.notOk(isAddresses({ url: '/' }))
})
