import t from 'tap'
import { Type } from '@sinclair/typebox'
import { prepare } from '../../../src/call/prepared.js'
import { defineCapability } from '../../../src/capability/define.js'
import type { HonestyOptions } from '../../../src/capability/honesty-rules.js'

const tool = (honesty?: HonestyOptions, output = Type.Object({ source: Type.String() })) => defineCapability({ name: 'x', description: 'x', effect: 'read', honesty, input: Type.Object({}), output, handler: () => ({ source: 'x' }) })

t.test('a capability says otherwise than its service', async t => {
  t.match(prepare(tool({ evidence: 'off' }), { honesty: { evidence: 'warn', 'no-result': 'warn' } }).modes, { evidence: 'off', 'no-result': 'warn', 'masked-failure': 'refuse' })
  t.match(prepare(tool()).modes, { evidence: 'refuse' })
})

t.test('marks of made-up data are looked for, more of them if asked, and not at all where nobody wants to know', async t => {
  const marked = prepare(tool(), { mockMarkers: [{ key: 'source', values: ['sandbox'] }] })
  t.match(marked.findMarker?.({ source: 'mock' }), /source/)
  t.match(marked.findMarker?.({ source: 'Sandbox' }), /source/)
  t.equal(marked.findMarker?.({ source: 'the press' }), undefined)
  t.equal(prepare(tool({ 'mock-marker': 'off' })).findMarker, undefined)
})

t.test('calls wait for their turn only where so many may run at a time', async t => {
  t.equal(prepare(tool()).queue, undefined)
  t.equal(prepare({ ...tool(), maxConcurrent: 1, maxQueued: 0 }).queue?.isFull, false)
})

t.test('sensitive input is kept to the call only where there is any', async t => {
  t.equal(prepare(tool()).keepSensitive({ pin: '98765' }), undefined)
})

t.test('input and answers are checked by what was made at the first call', async t => {
  const prepared = prepare(tool())
  t.match(prepared.checkInput({ a: 1 }), { code: 'INVALID_INPUT' })
  t.match(prepared.checkOutput({ source: 'x' }), { text: '{"source":"x"}' })
  t.equal(prepared.checkInput, prepared.checkInput)
})
