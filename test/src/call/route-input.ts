import t from 'tap'
import { isViolation, routeInputError } from '../../../src/call/route-input.js'

const report = (field: string) => ({ problems: [{ field, rule: 'type', expected: 'a string' }], total: 1 })

t.test('a field of a body stands alone, any other says where to look', async t => {
  t.equal(routeInputError(report('a.b'), 'body').details.field, 'a.b')
  t.equal(routeInputError(report('a'), undefined).details.field, 'a')
  t.equal(routeInputError(report('units'), 'querystring').details.field, 'querystring.units')
  t.equal(routeInputError(report('["x-y z"]'), 'headers').details.field, 'headers["x-y z"]')
  t.equal(routeInputError(report(''), 'params').details.field, 'params')
  t.equal(routeInputError(report(''), 'body').details.field, undefined)
})

t.test('a violation is told from anything else under its name', async t => {
  t.ok(isViolation({ keyword: 'type', instancePath: '', params: {} }))
  for (const value of [null, 'x', {}, { keyword: 'type' }, { keyword: 'type', instancePath: '' }, { keyword: 'type', instancePath: '', params: null }]) t.notOk(isViolation(value))
})
