import t from 'tap'
import { Collector } from '../../../src/schema/collector.js'
import { ordinary } from '../../../src/schema/field-policy.js'
import type { Finding } from '../../../src/schema/finding.js'

const find = (field: string, rule: string = 'type', more: Partial<Finding> = {}): Finding => ({ field, rule, value: 5, policy: ordinary, expectation: () => ({ lead: 'a thing' }), ...more })
const stop = { policy: { ...ordinary, uncorrectable: true } }

function collect (findings: Finding[], most: number = 5, firstOnly: boolean = false): Collector {
  const collector = new Collector(most, firstOnly)
  for (const finding of findings) collector.add(finding)
  return collector
}

const fields = (collector: Collector) => collector.problems().map(({ field }) => field)

t.test('what stops the call comes first, then misspelt fields, what is missing or wrong, and last what nobody asked for', async t => {
  const collector = collect([find('unknown', 'additionalProperties'), find('missing', 'required'), find('wrong'), find('misspelt', 'additionalProperties', { near: 'x' }), find('stop', 'minimum', stop)])
  t.strictSame(fields(collector), ['stop', 'misspelt', 'missing', 'wrong', 'unknown'])
})

t.test('the first few are kept, and all are counted', async t => {
  const collector = collect(['a', 'b', 'c', 'd'].map(field => find(field)), 2)
  t.strictSame(fields(collector), ['a', 'b'])
  t.equal(collector.total, 4)
  t.notOk(collector.enough)
})

t.test('two rules broken by one value are one wrong field', async t => {
  t.strictSame(collect([find('a', 'pattern'), find('a', 'format')]).problems().map(({ rule }) => rule), ['pattern'])
  t.strictSame(collect([find('a', 'type'), find('a', 'minimum', stop)]).problems().map(({ rule }) => rule), ['minimum'], 'but one that stops the call is told')
})

t.test('one that stops the call is told, however many come before it', async t => {
  t.strictSame(fields(collect([...'abcdefgh'].map(field => find(field)).concat(find('stop', 'enum', stop)), 5)), ['stop', 'a', 'b', 'c', 'd'])
})

t.test('where one is asked for, one is enough', async t => {
  t.notOk(collect([], 5, true).enough)
  t.ok(collect([find('a')], 5, true).enough)
})

t.test('it is known whether missing fields are all that is wrong', async t => {
  t.ok(collect([find('a', 'required'), find('b', 'dependentRequired')]).onlyMissing)
  t.notOk(collect([find('a', 'required'), find('b')]).onlyMissing)
})
