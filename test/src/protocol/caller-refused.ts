import t from 'tap'
import { isCallerRefused, refuseCaller } from '../../../src/protocol/caller-refused.js'
import { createToolError, withFields } from '../../../src/protocol/tool-error.js'

const ended = () => createToolError({ code: 'SESSION_ENDED', category: 'AUTH_ERROR', message: 'The session has ended.' })

t.test('it is said of one failure and its copies, and of no other', async t => {
  const error = refuseCaller(ended())
  t.ok(isCallerRefused(error))
  t.ok(isCallerRefused(withFields(error, { message: 'x' })))
  t.notOk(isCallerRefused(ended()))
  t.notOk(isCallerRefused(withFields(ended(), {})))
})
