import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import t from 'tap'
import { shop } from '../../docs/guide/existing-app.js'
import { fence } from '../fixtures/markdown.js'

process.on('warning', warning => t.fail(warning.message))

const guide = resolve(import.meta.dirname, '../../docs/guide')

t.test('the app of the guide is the file that runs here', async t => {
  t.equal(fence(await readFile(join(guide, 'existing-app.md'), 'utf8'), 'ts', 0), await readFile(join(guide, 'existing-app.ts'), 'utf8'))
})

t.test('it answers as the guide says', async t => {
  const app = await shop()
  t.teardown(() => app.close())
  t.strictSame((await app.inject('/price?item=apple&count=2')).json(), { success: true, data: { item: 'apple', count: 2, total: 0.8 } })

  const missing = await app.inject('/price?item=plum&count=2')
  t.equal(missing.statusCode, 404)
  t.match(missing.json(), { success: false, error: { code: 'ITEM_NOT_FOUND', category: 'NOT_FOUND', retryable: true, details: { candidates: 'apple; pear', next_action: 'fix_input' } } })

  const wrong = await app.inject('/price?item=apple&count=none')
  t.equal(wrong.statusCode, 400)
  t.match(wrong.json(), { success: false, error: { code: 'INVALID_INPUT', retryable: true, details: { field: 'querystring.count', expected: 'an integer' } } })

  t.match((await app.inject('/price?item=apple')).json(), { error: { code: 'MISSING_REQUIRED_FIELD' } })
})

t.test('what needs more than the replies is not there, as the guide says', async t => {
  const app = await shop()
  t.teardown(() => app.close())
  t.match((await app.inject('/nowhere')).json(), { error: 'Not Found' })
  t.match((await app.inject('/%zz')).json(), { code: 'FST_ERR_BAD_URL' })
})
