import t from 'tap'
import { leaksIn, textOf } from '../../../src/testing/leaks.js'

const sent = (headers: Record<string, string>, path = '/') => [{ method: 'GET', path, headers }]
const inBody = (message: string) => textOf({ headers: {}, body: JSON.stringify({ success: false, error: { message } }) })

t.test('an answer that shows nothing of the inside leaks nothing', async t => {
  const requests = sent({ authorization: 'Bearer s3cr3t/token', accept: 'application/json', cookie: 'a=b; id=' }, '/v1?token=abc&q=weather')
  t.strictSame(leaksIn(inBody('The weather at 10:30 is application/json, abc.'), requests, 'up.internal:8080'), [])
})

t.test('a credential is found in all its forms, and is not shown', async t => {
  const secret = 's3cr3t"/tök en'
  const forms = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), Buffer.from(secret).toString('base64'), Buffer.from(secret).toString('base64').replace(/=+$/, ''), Buffer.from(secret).toString('base64url'), Buffer.from(`u:${secret}`).toString('base64')]
  for (const form of forms) {
    for (const authorization of [secret, `Bearer ${secret}`, `token ${secret}`]) t.strictSame(leaksIn(inBody(`It said ${form}!`), sent({ authorization }), undefined), ['the credential sent as header authorization'], form)
    t.strictSame(leaksIn(textOf({ headers: { 'x-said': [form] }, body: '' }), sent({ 'x-api-key': secret }), undefined), ['the credential sent as header x-api-key'])
    t.strictSame(leaksIn(inBody(form), sent({}, `/?q=1&access_token=${encodeURIComponent(secret)}`), undefined), ['the credential sent as parameter access_token'])
  }
})

t.test('basic credentials and cookies are taken apart', async t => {
  const authorization = `Basic ${Buffer.from('user:pass:word').toString('base64')}`
  for (const shown of ['user:pass:word', 'pass:word', authorization.slice(6)]) t.strictSame(leaksIn(inBody(shown), sent({ authorization }), undefined), ['the credential sent as header authorization'], shown)
  t.strictSame(leaksIn(inBody('user'), sent({ authorization }), undefined), [])
  t.strictSame(leaksIn(inBody('f00d'), sent({ cookie: 'theme=dark; id=f00d' }), undefined), ['the credential sent as header cookie'])
})

t.test('a stack and an address are leaks', async t => {
  for (const stack of ['Error: x\n    at run (/srv/tool.js:10:5)', 'Error: x    at async file:///srv/tool.js:10:5', 'Traceback (most recent call last):']) {
    t.strictSame(leaksIn(inBody(stack), [], undefined), ['a stack trace'], stack)
    t.strictSame(leaksIn(textOf({ headers: {}, body: stack }), [], undefined), ['a stack trace'], stack)
  }
  t.strictSame(leaksIn(inBody('connect ECONNREFUSED up.internal:8080'), [], 'up.internal:8080'), ['the address of the upstream'])
})

t.test('each leak is named once', async t => {
  t.strictSame(leaksIn(inBody('sesame sesame'), [...sent({ authorization: 'sesame' }), ...sent({ authorization: 'sesame' })], undefined), ['the credential sent as header authorization'])
})
