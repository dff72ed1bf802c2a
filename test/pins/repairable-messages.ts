import { Type } from '@sinclair/typebox'
import { defineCapability } from 'candor'
import t from 'tap'
import { build, call } from '../fixtures/build.js'
import { inputSchemas, type ToolName } from '../fixtures/input-schemas.js'
import { repair } from '../fixtures/repair.js'
import { wrongInputs } from '../fixtures/wrong-inputs.js'

const tool = (name: string, input: typeof inputSchemas[ToolName]) => defineCapability({
  name,
  description: `Takes the input of ${name}.`,
  effect: 'read',
  input,
  output: Type.Object({ input: Type.Unknown() }),
  errors: { AMOUNT_NOT_POSITIVE: { category: 'INPUT_ERROR', description: 'The amount is not above zero.', hint: 'Ask the user how much to send.' } },
  handler: input => ({ input })
})

const service = (t: Parameters<typeof build>[0]) => build(t, { capabilities: Object.entries(inputSchemas).map(([name, input]) => tool(name, input)) })

t.test('what is said of a wrong input does not change', async t => {
  const { app } = await service(t)
  t.ok(wrongInputs.length >= 60)
  t.ok(new Set(wrongInputs.map(({ tool }) => tool)).size >= 20)
  for (const { tool, input, code, retryable, message, details } of wrongInputs) {
    const { status, body } = await call(app, tool, JSON.stringify(input), { 'content-type': 'application/json' })
    const { request_id: _, next_action: action, ...said } = body.error.details
    t.equal(status, 400)
    t.strictSame({ ...body.error, details: said }, { code, message, category: 'INPUT_ERROR', retryable, details }, `${tool} ${JSON.stringify(input)}`)
    t.equal(action, retryable ? 'fix_input' : 'stop')
    t.ok(message.length <= 500 && JSON.stringify(body).length <= 4096)
  }
})

t.test('doing what the message says, one round a field, gives a valid input', async t => {
  const { app } = await service(t)
  for (const { tool, input, retryable } of wrongInputs) {
    if (!retryable) continue
    const asked: string[] = []
    let next: unknown = input
    for (;;) {
      const { status, body } = await call(app, tool, JSON.stringify(next), { 'content-type': 'application/json' })
      if (status === 200) break
      const { field = '' } = body.error.details
      if (asked.includes(field) || asked.length > 12) {
        t.fail(`${tool} ${JSON.stringify(input)}: ${field} is wrong again`, { next, told: body.error })
        break
      }
      asked.push(field)
      next = repair(next, body.error)
    }
    t.ok(asked.length > 0, `${tool} ${JSON.stringify(input)}: ${asked.length}`)
  }
})
