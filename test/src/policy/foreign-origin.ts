import t from 'tap'
import { isForeign, type Origins } from '../../../src/policy/foreign-origin.js'

type Case = [headers: Origins, bind: string | undefined]

t.test('a request without an origin, or from a page of the service itself, is its own', async t => {
  const own: Case[] = [
    [{ host: 'localhost:3000' }, '127.0.0.1'],
    [{ host: '127.0.0.1:3000' }, '::1'],
    [{ host: '[::1]:3000', origin: 'http://[::1]:3000' }, '::1'],
    [{ host: 'localhost:3000', origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' }, undefined],
    [{ host: 'LOCALHOST', origin: 'http://localhost:80' }, '127.0.0.1'],
    [{ host: 'tools.example.com' }, '0.0.0.0'],
    [{ host: 'tools.example.com' }, undefined],
    [{}, undefined]
  ]
  for (const [headers, bind] of own) t.notOk(isForeign(headers, bind), JSON.stringify([headers, bind]))
})

t.test('a page of another site is foreign, on every bind', async t => {
  const foreign: Case[] = [
    [{ host: 'localhost:3000', origin: 'http://evil.example' }, undefined],
    [{ host: 'localhost:3000', origin: 'http://localhost:4000' }, '127.0.0.1'],
    [{ host: 'localhost:3000', origin: 'null' }, undefined],
    [{ host: 'localhost:3000', origin: 'file://' }, undefined],
    [{ host: 'localhost:3000', 'sec-fetch-site': 'cross-site' }, undefined],
    [{ host: 'tools.example.com', origin: 'http://tools.example.com' }, '0.0.0.0'],
    [{ origin: 'http://localhost' }, undefined]
  ]
  for (const [headers, bind] of foreign) t.ok(isForeign(headers, bind), JSON.stringify([headers, bind]))
})

t.test('a name that was made to point at this machine is foreign where only this machine may call', async t => {
  for (const host of ['evil.example', 'evil.example:3000', 'localhost.evil.example', 'a b', '']) {
    t.ok(isForeign({ host }, '127.0.0.1'), host)
    t.ok(isForeign({ host }, '127.0.0.2'), host)
    t.ok(isForeign({ host }, '::1'), host)
    t.notOk(isForeign({ host }, '0.0.0.0'), host)
  }
})

t.test('named hosts are own ones, and where hosts are named there are no others', async t => {
  const hosts = ['tools.example.com']
  t.notOk(isForeign({ host: 'tools.example.com', origin: 'https://tools.example.com' }, '127.0.0.1', hosts))
  t.notOk(isForeign({ host: 'localhost:3000' }, '0.0.0.0', hosts))
  t.ok(isForeign({ host: 'evil.example' }, '0.0.0.0', hosts))
  t.ok(isForeign({ host: 'tools.example.com', origin: 'https://evil.example' }, '0.0.0.0', hosts))
  t.ok(isForeign({}, undefined, hosts))
})
