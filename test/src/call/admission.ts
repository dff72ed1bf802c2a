import t from 'tap'
import { admit, type Admission } from '../../../src/call/admission.js'
import type { Caller } from '../../../src/call/caller.js'
import { prepare } from '../../../src/call/prepared.js'
import type { Service } from '../../../src/call/service.js'
import type { Capability } from '../../../src/capability/define.js'
import type { RateState } from '../../../src/policy/rate-counter.js'
import { echo, note } from '../../fixtures/capabilities.js'
import { serviceOf } from '../../fixtures/service.js'

const guarded: Capability = { ...echo, name: 'guarded', scopes: ['read', 'list'] }
const secret: Capability = { ...echo, name: 'secret', scopes: ['admin'], hidden: true }
const serviceWith = (...capabilities: Capability[]): Service => ({ ...serviceOf(), capabilities: new Map(capabilities.map(one => [one.name, prepare(one)])) })
const service = serviceWith(echo, note, guarded, secret)
const door = { isStopping: false, hint: 'Ask for the list.' }
const nobody: Caller = { principal: undefined, address: '10.0.0.1' }
const callerWith = (...scopes: string[]): Caller => ({ principal: { id: 'key:agent', scopes, claims: {} }, address: '10.0.0.1' })

const failureOf = async (admission: Admission | Promise<Admission>) => {
  const admitted = await admission
  return 'failure' in admitted ? admitted.failure : undefined
}

t.test('a capability that asks for nothing is everybody’s, at once', async t => {
  t.strictSame(admit(service, 'echo', nobody, door), { prepared: service.capabilities.get('echo') })
})

t.test('an unknown name is told those that the caller may know', async t => {
  t.match(await failureOf(admit(service, 'guardd', nobody, door)), { code: 'CAPABILITY_NOT_FOUND', details: { candidates: 'echo; note', did_you_mean: undefined, hint: 'Ask for the list.' } })
  t.match(await failureOf(admit(service, 'guardd', callerWith('read', 'list'), door)), { details: { did_you_mean: 'guarded' } })
})

t.test('a caller without the scopes is told which are missing, and one that nobody knows to send credentials', async t => {
  t.match(await failureOf(admit(service, 'guarded', callerWith('read'), door)), { code: 'FORBIDDEN', status: 403, message: 'These credentials do not allow a call of guarded.', details: { expected: 'the scope list' } })
  t.match(await failureOf(admit(service, 'guarded', callerWith(), door)), { details: { expected: 'the scopes read list' } })
  t.match(await failureOf(admit(service, 'guarded', nobody, door)), { code: 'UNAUTHORIZED', status: 401 })
  t.match(await admit(service, 'guarded', callerWith('read'), door), { headers: { 'www-authenticate': 'Bearer error="insufficient_scope", scope="read list"' } }, 'and all that it takes')
  t.equal((await admit(service, 'guarded', nobody, door)).headers, undefined)
  t.match(admit(service, 'guarded', callerWith('list', 'read'), door), { prepared: service.capabilities.get('guarded') })
})

t.test('what is hidden does not exist for a caller that may not call it', async t => {
  const unknown = await failureOf(admit(service, 'nowhere', callerWith('read'), door))
  const hidden = await failureOf(admit(service, 'secret', callerWith('read'), door))
  t.match(hidden, { code: 'CAPABILITY_NOT_FOUND', status: 404 })
  t.strictSame(JSON.parse(JSON.stringify(hidden).replaceAll('secret', 'nowhere')), JSON.parse(JSON.stringify(unknown)))
  t.match(admit(service, 'secret', callerWith('admin'), door), { prepared: service.capabilities.get('secret') })
})

t.test('a service that is stopping takes no call, and a write was not carried out', async t => {
  t.match(await failureOf(admit(service, 'note', nobody, { ...door, isStopping: true })), { code: 'SERVICE_STOPPING', details: { outcome: 'not_applied' } })
})

const state: RateState = { isAllowed: true, max: 5, windowMs: 60_000, remaining: 2, resetMs: 12_300 }
const counting = (answer: RateState | 'unknown' | undefined): { service: Service, asked: unknown[] } => {
  const asked: unknown[] = []
  return { asked, service: { ...service, countCall: async (capability, caller) => { asked.push([capability.name, caller]); return answer } } }
}

t.test('a call within its limit is told how many are left', async t => {
  const { service, asked } = counting(state)
  t.match(await admit(service, 'echo', callerWith('read'), door), { prepared: {}, headers: { 'ratelimit-policy': '"default";q=5;w=60', ratelimit: '"default";r=2;t=13' } })
  t.strictSame(asked, [['echo', 'principal key:agent']])
})

t.test('one too many is told when to come back, and a write that it was not carried out', async t => {
  const { service } = counting({ ...state, isAllowed: false, remaining: 0 })
  t.match(await admit(service, 'note', nobody, door), {
    headers: { ratelimit: '"default";r=0;t=13' },
    failure: { code: 'RATE_LIMIT_EXCEEDED', status: 429, retryable: true, retryAfterMs: 12_300, message: 'note takes 5 calls of one caller in 60 s.', details: { outcome: 'not_applied' } }
  })
  t.notMatch((await failureOf(admit(service, 'echo', nobody, door)))?.details, { outcome: /./ })
  t.match(await failureOf(admit(service, 'note', nobody, door)), { retryAfterMs: 14_000 }, 'calls of one caller do not all come back together')
  t.match(await failureOf(admit(service, 'note', callerWith(), door)), { retryAfterMs: 12_300 }, 'another one hears when its own count begins again')
})

t.test('calls that cannot be counted are refused or taken, as the counter says', async t => {
  t.match(await failureOf(admit(counting('unknown').service, 'note', nobody, door)), { code: 'SERVICE_UNAVAILABLE', status: 503, retryable: true, details: { outcome: 'not_applied' } })
  t.strictSame(await admit(counting(undefined).service, 'echo', nobody, door), { prepared: service.capabilities.get('echo') })
})

t.test('what is refused for another reason is not counted', async t => {
  const { service, asked } = counting(state)
  admit(service, 'nowhere', nobody, door)
  admit(service, 'guarded', nobody, door)
  t.strictSame(asked, [])
})
