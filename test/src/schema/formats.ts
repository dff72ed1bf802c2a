import t from 'tap'
import { checkOnly, formats } from '../../../src/schema/compile.js'
import { formatPhrase } from '../../../src/schema/formats.js'

t.test('every checked format for text has an example that is right', async t => {
  for (const format of formats) {
    const example = / like "(.+)"$/.exec(formatPhrase(format))?.[1]
    if (['int32', 'int64', 'float', 'double', 'password', 'binary'].includes(format)) continue
    t.ok(example !== undefined && checkOnly({ format })(JSON.parse(`"${example}"`)) === undefined, `${format}: ${example}`)
  }
})

t.test('a format nobody knows is told by its name', async t => {
  t.equal(formatPhrase('plate'), 'a string of format plate')
  t.equal(formatPhrase('constructor'), 'a string of format constructor')
})
