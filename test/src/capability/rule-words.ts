import t from 'tap'
import { jsonWords, ruleWords } from '../../../src/capability/rule-words.js'

t.test('each rule has its sentence', async t => {
  const sentences: Array<[keyword: string, value: unknown, words: string | undefined]> = [
    ['minimum', 1, 'At least 1'], ['maximum', 2, 'At most 2'], ['exclusiveMinimum', 0, 'Above 0'], ['exclusiveMaximum', 9, 'Below 9'], ['multipleOf', 0.5, 'A multiple of 0.5'],
    ['minLength', 1, 'At least 1 character'], ['maxLength', 3, 'At most 3 characters'], ['minItems', 2, 'At least 2 items'], ['maxItems', 1, 'At most 1 item'],
    ['minProperties', 1, 'At least 1 field'], ['maxProperties', 2, 'At most 2 fields'], ['uniqueItems', true, 'No item twice'], ['pattern', '^a', 'Matches the regular expression ^a'],
    ['format', 'ipv4', 'An IPv4 address like "192.0.2.1"'], ['enum', [1], 'Always 1'], ['enum', ['a', null], 'One of "a", null'],
    ['default', 'x', 'Default "x"'], ['examples', [[1], 2], 'For example [1]'], ['dependentRequired', { a: ['b', 'c'], d: ['e'] }, 'With a goes b, c. With d goes e'],
    ['propertyNames', { maxLength: 2 }, 'Checked too, as JSON Schema: {"propertyNames":{"maxLength":2}}'], ['not', { const: 1 }, 'Checked too, as JSON Schema: {"not":{"const":1}}']
  ]
  for (const [keyword, value, words] of sentences) t.equal(ruleWords(keyword, value), words, keyword)
  t.equal(jsonWords({ if: {} }), 'Checked too, as JSON Schema: {"if":{}}')
})

t.test('what demands nothing has no words', async t => {
  for (const [keyword, value] of [['minimum', Number.MIN_SAFE_INTEGER], ['maximum', Number.MAX_SAFE_INTEGER], ['uniqueItems', false], ['examples', []], ['$comment', 'x'], ['title', 'x']] as const) t.equal(ruleWords(keyword, value), undefined, keyword)
})
