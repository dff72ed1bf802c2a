import { Type } from '@sinclair/typebox'
import t from 'tap'
import { canTell } from '../../../src/policy/can-tell.js'
import { createTelltales } from '../../../src/policy/telltales.js'
import { hoist } from '../../../src/schema/hoist.js'
import type { JsonSchema } from '../../../src/schema/infer.js'

const { ofKey, text } = createTelltales([{ key: 'mock', values: [true] }, { key: 'source', values: ['mock data', 'fake-1'] }, { key: 'id', values: [0] }], ['lorem ipsum'])
const can = (key: string, schema: JsonSchema) => canTell(hoist(schema), key === 'text' ? text : ofKey(key)!, hoist(schema))

t.test('a type lets in its values', async t => {
  for (const schema of [Type.Boolean(), {}, { type: ['null', 'boolean'] }, Type.Optional(Type.Boolean())]) t.ok(can('mock', schema))
  for (const schema of [Type.String(), Type.Number(), Type.Null(), Type.Object({}), Type.Void()]) t.notOk(can('mock', schema))
  for (const schema of [Type.Number(), Type.Integer(), { type: ['integer', 'null'] }]) t.ok(can('id', schema))
  t.notOk(can('id', Type.Boolean()))
  t.ok(can('source', Type.String()) && can('text', Type.String()))
})

t.test('fixed values let in themselves, in any spelling that tells', async t => {
  t.notOk(can('mock', Type.Literal(false)))
  t.ok(can('mock', Type.Literal(true)))
  t.notOk(can('source', Type.Literal('Open-Meteo')))
  t.ok(can('source', { enum: ['live', 'Mock_Data'] }))
  t.notOk(can('source', { enum: ['live', 'archive', null] }))
  t.ok(can('text', { const: 'Lorem Ipsum' }))
  t.ok(can('text', { const: { text: 'x' } }), 'an object may hold anything')
})

t.test('a text too short, or of a fixed form, tells nothing', async t => {
  t.notOk(can('text', Type.String({ maxLength: 10 })))
  t.ok(can('text', Type.String({ maxLength: 11 })))
  t.notOk(can('text', Type.String({ format: 'date-time' })))
  t.ok(can('text', Type.String({ format: 'password' })))
  t.ok(can('source', Type.String({ format: 'uuid' })), 'of what is no words, no form is sure')
})

t.test('one branch of a union is enough, of an intersection all must', async t => {
  t.ok(can('mock', Type.Union([Type.String(), Type.Boolean()])))
  t.notOk(can('mock', Type.Union([Type.String(), Type.Literal(false)])))
  t.ok(can('mock', { oneOf: [true, false] }))
  t.notOk(can('mock', { oneOf: [false, Type.Null()] }))
  t.ok(can('source', { allOf: [Type.String(), {}, true] }))
  t.notOk(can('source', { allOf: [Type.String(), Type.Literal('x')] }))
  t.notOk(can('mock', { type: 'string', anyOf: [{}] }))
})

t.test('references are followed, also in a ring', async t => {
  const flag = { $ref: '#/$defs/Flag' }
  t.ok(can('mock', { $defs: { Flag: Type.Boolean() }, anyOf: [Type.Null(), flag] }))
  t.notOk(can('mock', { $defs: { Flag: Type.String() }, allOf: [flag, flag] }))
  t.ok(can('mock', { $defs: { Flag: Type.Boolean() }, allOf: [flag, flag] }), 'one used twice')
  t.notOk(can('mock', { $defs: { Flag: { anyOf: [flag, flag] } }, anyOf: [flag] }))
  t.ok(can('mock', { $ref: '#/$defs/Lost' }), 'one that is lost may be anything')
})
