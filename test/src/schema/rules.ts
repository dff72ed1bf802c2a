import t from 'tap'
import { expectationText, expectedType, isMissingRule, isValueRule, listValues, oneOf, onlyFields } from '../../../src/schema/rules.js'

const many = Array.from({ length: 500 }, (_, index) => `value-${index}`)

t.test('allowed values are listed: the first twenty, and how many there are', async t => {
  t.equal(listValues(['metric', 1, null]), 'one of "metric", 1, null')
  t.equal(listValues(['metric']), '"metric"')
  t.match(listValues(many), /^one of "value-0", .*"value-19", … \(500 in all\)$/)
})

t.test('a list is shortened by values, and still says how many there are', async t => {
  const list = oneOf(many)
  t.equal(expectationText(list, 50), 'one of "value-0", "value-1", … (500 in all)')
  t.equal(expectationText(list, 1), 'one of … (500 in all)')
  t.equal(expectationText(oneOf(['metric', 'imperial', 'kelvin']), 30), 'one of "metric", … (3 in all)')
})

t.test('a text without a list is cut', async t => {
  t.equal(expectationText({ lead: 'a string of at most 10 characters' }), 'a string of at most 10 characters')
  t.equal(expectationText({ lead: 'a string of at most 10 characters' }, 9), 'a string…')
  t.equal(expectationText({ lead: 'a string' }, -5), '…')
})

t.test('fields are listed by name, and by pattern where they have none', async t => {
  const text = (names: string[], patterns?: string[]) => expectationText(onlyFields(names, patterns))
  t.equal(text([]), 'no fields at all')
  t.equal(text(['id']), 'only the field id')
  t.equal(text(['id', 'name']), 'only the fields id, name')
  t.equal(text([], ['^[a-z]+$']), 'only fields whose names match ^[a-z]+$')
  t.equal(text(['id'], ['^x-']), 'only the fields id, those whose names match ^x-')
})

t.test('types are told with articles', async t => {
  t.equal(expectedType('integer'), 'an integer')
  t.equal(expectedType(['string', 'null']), 'a string or null')
})

t.test('a rule is about the value, about a field that is missing, or about how the call is written', async t => {
  t.ok(['minimum', 'pattern', 'format', 'enum', 'maxItems'].every(isValueRule))
  t.notOk(['type', 'required', 'additionalProperties'].some(isValueRule))
  t.ok(['required', 'dependentRequired'].every(isMissingRule))
  t.notOk(isMissingRule('type'))
})
