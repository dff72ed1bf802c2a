import t from 'tap'
import { commonFormats, ruleKeywords, safeNames, scalarTypes, toolWords } from '../../../src/capability/dialect-vocabulary.js'
import { withInput } from '../../fixtures/tool-of.js'

t.test('what is said of a whole input is said of its tool', async t => {
  const tool = withInput({}, { description: 'A tool' })
  t.equal(toolWords(tool, 'With a goes b'), 'A tool. With a goes b')
  t.equal(toolWords(tool, undefined), 'A tool')
})

t.test('no word is in it that the drafts of JSON Schema read differently', async t => {
  for (const keyword of ['items', 'prefixItems', 'dependentRequired', 'contains', 'const']) t.notOk(ruleKeywords.has(keyword), keyword)
  for (const format of ['uuid', 'duration', 'byte', 'iso-date-time']) t.notOk(commonFormats.has(format), format)
  t.strictSame([...scalarTypes].sort(), ['boolean', 'integer', 'null', 'number', 'string'])
  t.ok(safeNames.test('a.b-c_1'))
  for (const name of ['', 'größe', 'a b', '$a', 'x'.repeat(65)]) t.notOk(safeNames.test(name), name)
})
