import t from 'tap'
import { Auth } from '../../../src/upstream/auth.js'

t.test('a token is asked for once and shared', async t => {
  let asked = 0
  const auth = new Auth(async () => `token-${++asked}`)
  t.same(await Promise.all([auth.token().result, auth.token().result]), ['token-1', 'token-1'])
  const kept = auth.token()
  kept.cancel(new Error('Nothing to end.'))
  t.equal(await kept.result, 'token-1')
  t.equal(asked, 1)
})

t.test('a refused token is replaced, once for all who were refused', async t => {
  let asked = 0
  const auth = new Auth(() => `token-${++asked}`)
  await auth.token().result
  t.same(await Promise.all([auth.token('token-1').result, auth.token('token-1').result]), ['token-2', 'token-2'])
  t.equal(await auth.token('token-1').result, 'token-2')
  t.equal(asked, 2)
  t.equal(auth.redact('token-2, token-1'), '[redacted], [redacted]')
})

t.test('a source that fails is asked again by whoever comes next', async t => {
  let asked = 0
  const auth = new Auth(() => {
    if (++asked === 1) throw new Error('Down.')
    return 'token'
  })
  await t.rejects(auth.token().result, { message: 'Down.' })
  t.equal(await auth.token().result, 'token')
})

t.test('a source that never answers holds up nobody but who asked', async t => {
  let asked = 0
  const auth = new Auth(() => ++asked === 1 ? new Promise<string>(() => {}) : 'token')
  const [one, other] = [auth.token(), auth.token()]
  one.cancel(new Error('Over.'))
  await t.rejects(one.result, { message: 'Over.' })
  t.equal(await auth.token().result, 'token')
  other.cancel(new Error('Over too.'))
  await t.rejects(other.result, { message: 'Over too.' })
  t.equal(asked, 2)
})

t.test('an answer that comes after it was given up disturbs nobody', async t => {
  const answers: Array<(token: string) => void> = []
  const auth = new Auth(() => new Promise<string>(resolve => answers.push(resolve)))
  const first = auth.token()
  first.cancel(new Error('Over.'))
  await t.rejects(first.result)
  const second = auth.token()
  answers[0]!('late')
  await new Promise(resolve => setImmediate(resolve))
  answers[1]!('token')
  t.equal(await second.result, 'token')
})

t.test('what is no token is refused without being repeated', async t => {
  for (const wrong of ['', 'sk-live\nSECRET', 'with space', undefined, 5]) {
    const error = await new Auth(() => wrong as string).token().result.catch((error: unknown) => error)
    t.match(error, { name: 'TypeError', message: /^Expected `auth` to return a token without spaces or control characters\.$/ })
  }
})

t.test('only the last tokens are remembered', async t => {
  let asked = 0
  const auth = new Auth(() => `token-${++asked}`)
  t.equal(auth.redact('token-1'), 'token-1', 'not asked for yet')
  let token = await auth.token().result
  for (let count = 0; count < 20; count++) token = await auth.token(token).result
  t.equal(auth.redact('token-21 token-14'), '[redacted] [redacted]')
  t.equal(auth.redact('token-13'), 'token-13')
})
