import t from 'tap'
import { ordinary } from '../../../src/schema/field-policy.js'
import { isUncorrectable, toProblem, type Finding } from '../../../src/schema/finding.js'

const find = (parts: Partial<Finding>): Finding => ({ field: 'f', rule: 'type', value: 5, policy: ordinary, expectation: () => ({ lead: 'a thing' }), ...parts })
const read = (parts: Partial<Finding>) => toProblem(find(parts))
const secret = { ...ordinary, sensitive: true }

t.test('a finding is put into four parts', async t => {
  t.strictSame(read({}), { field: 'f', rule: 'type', expected: 'a thing', received: 'the number 5' })
  t.strictSame(read({ rule: 'enum', value: 'metrc', allowed: ['metric', 'imperial'], expectation: () => ({ lead: 'one of ', items: ['"metric"', '"imperial"'] }) }), {
    field: 'f', rule: 'enum', expected: 'one of "metric", "imperial"', received: 'the string "metrc"', nearest: 'metric', spelling: '"metric"', list: { lead: 'one of ', items: ['"metric"', '"imperial"'] }
  })
})

t.test('a misspelt field is told with the right name, and what it holds by its type alone', async t => {
  t.match(read({ rule: 'additionalProperties', value: '4111', near: 'number' }), { received: 'a string', nearest: 'number', spelling: 'number' })
})

t.test('nothing came where a field is missing', async t => {
  t.equal(read({ rule: 'required', value: undefined }).received, 'nothing')
  t.equal(read({ rule: 'dependentRequired', value: undefined }).received, 'nothing')
})

t.test('what came may be told in other words', async t => {
  t.equal(read({ received: 'neither' }).received, 'neither')
})

t.test('a secret is not echoed, and no value suggested for it', async t => {
  const parts = { rule: 'enum', value: 'metrc', allowed: ['metric'], received: 'metrc' }
  for (const hidden of [{ policy: secret }, { field: 'user.password' }, { holdsSecret: () => true }]) {
    const { received, nearest } = read({ ...parts, ...hidden })
    t.strictSame([received, nearest], ['a string', undefined])
  }
  t.equal(read({ ...parts, holdsSecret: () => false }).nearest, 'metric')
})

t.test('the same value in another type is suggested, where it would be right', async t => {
  const twin = (value: unknown, wanted: unknown, rule: string = 'type') => read({ value, rule, accepts: other => other === wanted }).nearest
  t.equal(twin(' 5', 5), '5')
  t.equal(twin('true', true), 'true')
  t.equal(twin(5, '5'), '5')
  t.equal(twin('5', 6), undefined)
  t.equal(twin('five', 5), undefined)
  t.equal(twin('null', null), undefined)
  t.equal(twin('"5"', 5), undefined)
  t.equal(twin('5', 5, 'minLength'), undefined)
  t.equal(twin(true, 1), undefined)
  t.equal(read({ value: '5' }).nearest, undefined)
  t.strictSame(read({ value: '2', allowed: [1, 2] }).spelling, '2')
  t.strictSame(read({ value: 2, allowed: ['1', '2'] }).spelling, '"2"')
  t.equal(read({ value: 'metrc', allowed: [1, 'metric'] }).nearest, 'metric')
})

t.test('JSON sent as text is said as such, where a container of that kind is wanted', async t => {
  const quoted = (value: unknown, types: string[] | undefined, rule: string = 'type') => read({ value, rule, types: types && (() => types) })
  t.match(quoted('["x"]', ['array']), { received: 'a string that contains JSON', quoted: true })
  t.match(quoted(' {"a":1}', ['null', 'object']), { quoted: true })
  for (const problem of [quoted('["x"]', ['object']), quoted('[x]', ['array']), quoted('x', ['array']), quoted('[1]', undefined), quoted('[1]', ['array'], 'minLength'), quoted(5, ['array'])]) t.equal(problem.quoted, undefined)
})

t.test('only a wrong value can be one that no model may correct', async t => {
  const policy = { sensitive: false, uncorrectable: true, code: 'BAD_AMOUNT' }
  t.match(read({ rule: 'enum', value: 'EUX', allowed: ['EUR'], policy }), { uncorrectable: true, code: 'BAD_AMOUNT', nearest: undefined })
  t.match(read({ rule: 'type', policy }), { uncorrectable: undefined, code: undefined })
  t.ok(isUncorrectable(find({ rule: 'minimum', policy })))
  t.notOk(isUncorrectable(find({ rule: 'minimum' })))
  t.notOk(isUncorrectable(find({ rule: 'required', policy })))
})
