import t from 'tap'
import { Category, categories, defaultRetryable, httpStatusForCategory, isCategory, isStatusOf, statusesOf } from '../../../src/protocol/category.js'

const all = ['INPUT_ERROR', 'NOT_FOUND', 'AUTH_ERROR', 'RATE_LIMIT', 'SERVICE_ERROR'] as const

t.test('there are five categories, each named by itself', async t => {
  t.strictSame(Object.entries(Category), all.map(name => [name, name]))
  t.strictSame(Object.keys(categories), all)
})

t.test('a category is known by its exact name', async t => {
  for (const name of all) t.ok(isCategory(name))
  for (const value of ['input_error', 'SERVER_ERROR', '', 'constructor', '__proto__', 'toString', undefined, null, 400, {}, ['NOT_FOUND']]) t.notOk(isCategory(value))
})

t.test('a category has a default status, and what is no category is a 500', async t => {
  t.strictSame(all.map(httpStatusForCategory), [400, 404, 401, 429, 503])
  for (const value of ['', 'TEAPOT', 'hasOwnProperty', undefined, null, 404, Symbol('x')]) t.equal(httpStatusForCategory(value), 500)
})

t.test('a category carries the statuses of its row, and no other', async t => {
  t.strictSame(statusesOf('INPUT_ERROR'), [400, 405, 408, 409, 413, 414, 415, 417, 422, 431])
  t.strictSame(statusesOf('RATE_LIMIT'), [429])
  for (const category of all) {
    const accepted = Array.from({ length: 1000 }, (_, status) => status).filter(status => isStatusOf(category, status))
    t.strictSame(accepted, statusesOf(category).toSorted((a, b) => a - b), category)
    for (const status of ['400', NaN, undefined, null, 888]) t.notOk(isStatusOf(category, status))
  }
})

t.test('no status belongs to two categories', async t => {
  const statuses = all.flatMap(statusesOf)
  t.equal(new Set(statuses).size, statuses.length)
})

t.test('a failure may be sent again as its category says, but for 408 and 500', async t => {
  t.strictSame(all.map(category => defaultRetryable(category)), [false, false, false, true, true])
  t.equal(defaultRetryable('INPUT_ERROR', 408), true)
  t.equal(defaultRetryable('INPUT_ERROR', 422), false)
  t.equal(defaultRetryable('NOT_FOUND', 410), false)
  t.equal(defaultRetryable('AUTH_ERROR', 403), false)
  t.equal(defaultRetryable('SERVICE_ERROR', 500), false)
  t.equal(defaultRetryable('SERVICE_ERROR', 502), true)
  t.equal(defaultRetryable('SERVICE_ERROR', 504), true)
})
