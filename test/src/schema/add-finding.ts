import t from 'tap'
import { add, addBroken, addForms, addMissing, addNeither, addNotEither, addNotListed, addUnknown, effortFor, fieldPath, isMissing, type Place, type Walk } from '../../../src/schema/add-finding.js'
import { ordinary } from '../../../src/schema/field-policy.js'
import type { Finding } from '../../../src/schema/finding.js'
import type { JsonSchema } from '../../../src/schema/infer.js'
import { expectationText } from '../../../src/schema/rules.js'

function start (root: JsonSchema = {}, enough: boolean = false): { walk: Walk, found: Finding[], texts: () => string[] } {
  const found: Finding[] = []
  const walk = { root, sink: { add: (finding: Finding) => { found.push(finding) }, enough }, effort: effortFor(false), renamed: new Set<string>(), isCount: false, fills: true }
  return { walk, found, texts: () => found.map(({ expectation }) => expectationText(expectation())) }
}

const at = (value: unknown, whole: JsonSchema = {}, path: string = 'at'): Place => ({ value, path, policy: ordinary, whole })
const secret = { ...ordinary, sensitive: true }
const never = (): boolean => false
const names = (...names: string[]) => ({ names, patterns: [], has: never })

t.test('each finding uses up some of the effort', async t => {
  const { walk, found } = start()
  const before = walk.effort.steps
  add(walk, at(5), 'type', () => ({ lead: 'x' }))
  t.ok(walk.effort.steps < before)
  t.match(found, [{ field: 'at', rule: 'type', value: 5 }])
  t.ok(effortFor(true).steps < effortFor(false).steps)
})

t.test('a field that holds undefined is not there', async t => {
  t.strictSame(['a', 'b', 'c', 'toString'].map(key => isMissing({ a: 1, b: undefined }, key)), [false, true, true, true])
})

t.test('in a secret the names that only the caller knows are not told', async t => {
  const whole = { properties: { number: {} } }
  t.equal(fieldPath(at({}, whole), 'other'), 'at.other')
  t.equal(fieldPath({ ...at({}, whole), policy: secret }, 'number'), 'at.number')
  t.equal(fieldPath({ ...at({}, whole), policy: secret }, 'other'), 'at.*')
  t.equal(fieldPath({ ...at({}, {}, ''), policy: secret, whole: undefined }, 'other'), '*')
})

t.test('a value that broke a rule is told by all that its schema wants', async t => {
  const { walk, found, texts } = start()
  addBroken(walk, at(''), 'minLength', { type: 'string', minLength: 1, maxLength: 9 }, never)
  t.strictSame(texts(), ['a string of 1 to 9 characters'])
  t.strictSame(found[0]!.types!(), ['string'])
  t.equal(found[0]!.holdsSecret!(), false)
})

t.test('a rule without a type is about the values of one type', async t => {
  const { walk, texts } = start()
  addBroken(walk, at(5), 'minimum', { minimum: 9 }, never)
  addBroken(walk, at({ a: 2 }), 'const', { const: { a: 1 } }, never)
  t.strictSame(texts(), ['a number of at least 9', '{"a":1}'])
})

t.test('rules that count say what they have counted', async t => {
  const { walk, found } = start()
  addBroken(walk, at({}), 'minProperties', {}, never)
  addBroken(walk, at({ a: 1, b: 2 }), 'maxProperties', {}, never)
  addBroken(walk, at([5, 6, 5]), 'uniqueItems', {}, never)
  t.strictSame(found.map(({ received }) => received), ['an empty object', 'an object of 2 fields', 'an array whose items 0 and 2 are equal'])
})

t.test('an integer with more digits than a number holds is to be sent as a string', async t => {
  const integer = { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }
  const { walk, found, texts } = start()
  addBroken(walk, at(2 ** 60), 'maximum', integer, never)
  addBroken(walk, at('2512292042121000001'), 'type', integer, never)
  addBroken(walk, at('12'), 'type', integer, never)
  addBroken(walk, at(0), 'minimum', { ...integer, minimum: 1 }, never)
  t.strictSame(texts(), [
    'an integer within ±9007199254740991: a longer one loses digits, send it as a string if strings are taken here',
    'an integer within ±9007199254740991',
    'an integer',
    'an integer of at least 1'
  ])
  t.equal(found[0]!.received, 'a longer one')
})

t.test('a value that is not listed is a wrong value; one of another type a wrong type', async t => {
  const { walk, found, texts } = start()
  addNotListed(walk, at('x'), ['a', 1])
  addNotListed(walk, at(true), ['a', 1])
  t.strictSame(found.map(({ rule }) => rule), ['enum', 'type'])
  t.equal(texts()[0], 'one of "a", 1')
})

t.test('a value may fit none of several forms, or too many of them', async t => {
  const { walk, texts } = start()
  addForms(walk, at(1), 3)
  addForms(walk, at(1), 3, 2)
  t.strictSame(texts(), ['a value of exactly one of 3 forms', 'a value of exactly one of 3 forms, not of 2 at once'])
})

t.test('what any branch would accept is told, where none is meant more than another', async t => {
  const { walk, found, texts } = start({ $defs: { A: { type: 'string', format: 'date' } } })
  addNotEither(walk, at('x'), [{ $ref: '#/$defs/A' }, { type: 'null' }], never)
  addNotEither(walk, at(5), [{ $ref: '#/$defs/A' }, { type: 'null' }], never)
  t.strictSame(found.map(({ rule, holdsSecret }) => [rule, holdsSecret!()]), [['anyOf', false], ['type', false]])
  t.equal(texts()[0], 'a date like "2026-03-31" or null')
  const asking = ['a', 'b', 'c'].map(field => ({ type: 'object', required: [field] }))
  addNotEither(walk, at({}), asking.slice(1), never, true)
  addNotEither(walk, at({}), asking, never, true)
  t.strictSame(found.map(({ rule, received }) => [rule, received]).slice(2), [['anyOf', 'neither'], ['anyOf', 'none of them']])
})

t.test('of a date whose form is right it is told that there is no such day', async t => {
  const { walk, found } = start()
  for (const value of ['2026-02-30', '2026-02-3', 5]) addBroken(walk, at(value), 'format', { format: 'date' }, never)
  t.strictSame(found.map(({ received }) => received), ['a day that does not exist', undefined, undefined])
})

t.test('an object may need one field or another', async t => {
  const either = [{ required: ['a'] }, { required: ['b', 'c'] }]
  const { walk, found, texts } = start()
  addNeither(walk, at({}), either)
  addNeither(walk, at({}), [...either, { required: ['d'] }])
  addNeither(walk, at({ b: 1, c: 1 }), either)
  walk.renamed.add('at.a')
  addNeither(walk, at({}), either)
  t.strictSame(texts(), ['an object with a, or with b and c', 'an object with a, or with b and c, or with d'])
  t.strictSame(found.map(({ received }) => received), ['neither', 'none of them'])
})

t.test('a missing field is told by what it would hold', async t => {
  const whole = { properties: { a: { type: 'string' }, b: { enum: ['x', 'y'] } } }
  const { walk, found, texts } = start()
  addMissing(walk, {}, at({}, whole), 'a')
  addMissing(walk, { properties: { a: { type: 'number' } } }, at({}, whole), 'a')
  addMissing(walk, {}, at({}, whole), 'z')
  addMissing(walk, {}, at({}, whole), 'a', 'b')
  addMissing(walk, {}, at({}, whole), 'b', 'a')
  t.strictSame(texts(), ['a string', 'a number', 'a value', 'a string, as b is given', 'one of "x", "y"'])
  t.strictSame(found.map(({ rule }) => rule), ['required', 'required', 'required', 'dependentRequired', 'dependentRequired'])
})

t.test('a field that is there under a misspelt name is not missing as well', async t => {
  const { walk, found } = start()
  addUnknown(walk, at({ unit: 1 }), names('units', 'location'), 'unit')
  addMissing(walk, {}, at({ unit: 1 }), 'units')
  t.match(found, [{ field: 'at.unit', rule: 'additionalProperties', near: 'units' }])
  addUnknown(walk, at({ unit: 1, unitz: 1 }), names('units', 'location'), 'unitz')
  t.equal(found[1]!.near, undefined, 'and is not suggested twice')
})

t.test('a field that is there already cannot be meant, unless it is there by default', async t => {
  const whole = { properties: { units: { default: 'metric' } } }
  const { walk, found, texts } = start()
  addUnknown(walk, at({ unit: 1, units: 'imperial' }, whole), names('units'), 'unit')
  addUnknown(walk, at({ unit: 1, units: 'metric' }, whole), names('units'), 'unit')
  t.strictSame(found.map(({ near }) => near), [undefined, 'units'])
  t.strictSame(texts(), ['only the field units', 'only the field units'])
})

t.test('where the effort is used up, no spelling is looked for; where enough is found, nothing is added', async t => {
  const { walk, found } = start()
  walk.effort.words = 0
  addUnknown(walk, at({ unit: 1 }), names('units'), 'unit')
  t.equal(found[0]!.near, undefined)
  const done = start({}, true)
  addMissing(done.walk, {}, at({}), 'a')
  t.equal(done.found.length, 0)
})
