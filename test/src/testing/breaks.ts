import t from 'tap'
import { breaks, type Break } from '../../../src/testing/breaks.js'
import { behaviours, type BehaviourName, type RogueRequest } from '../../../src/testing/rogue-behaviours.js'
import { toldOf } from '../../../src/testing/told.js'
import { OURS, STATUSES, type Kinds, type Told } from '../../fixtures/upstream-matrix.js'

const find = (name: string): Break => breaks.find(one => one.name === name)!
const kinds = { read: { effect: 'read', idempotent: false }, write: { effect: 'write', idempotent: false }, again: { effect: 'write', idempotent: true } } as const

/** Does one of the rows of a break say what the matrix says? */
function says ({ told }: Break, kind: keyof typeof kinds, expected: Told): boolean {
  return told.map(row => toldOf(row, { ...kinds[kind], wrote: kind !== 'read', applied: false }))
    .some(({ code, status, category, retryable, next, outcome }) => String([code, status, category, retryable, next, ...outcome === undefined ? [] : [outcome]]) === String(expected))
}

function agrees (one: Break, expected: Kinds): boolean {
  return (Object.keys(kinds) as Array<keyof typeof kinds>).every(kind => expected[kind] === undefined || says(one, kind, expected[kind]))
}

t.test('names are unique', async t => {
  t.equal(new Set(breaks.map(({ name }) => name)).size, breaks.length)
  t.equal(find('answers 503').wait, undefined)
  t.match(find('answers 503 with Retry-After'), { wait: 7, status: 503, stalls: false })
})

t.test('every behaviour that fails somebody is a break, and is told as the matrix of upstreams has it', async t => {
  for (const [name, row] of Object.entries(OURS)) {
    const one = find(behaviours[name as BehaviourName].does)
    if (row.write === undefined) t.equal(one, undefined, name)
    else t.ok(agrees(one, row) && (row.orElse === undefined || agrees(one, row.orElse)), name)
    if (one !== undefined) t.equal(one.stalls, row.late === true, `${name} stalls`)
    if (one !== undefined) t.equal(one.harmless === 'read', row.read === undefined, `${name} harms a read`)
  }
})

t.test('every status is told as the matrix of upstreams has it', async t => {
  const bare = breaks.filter(({ status, wait, name }) => status !== undefined && wait === undefined && name === `answers ${status}`)
  t.equal(bare.length, 28)
  for (const one of bare) {
    const [, told] = STATUSES.find(([statuses]) => statuses[2] === 'rest' ? one.status! >= statuses[0]! && one.status! <= statuses[1]! : (statuses as number[]).includes(one.status!))!
    t.ok(agrees(one, told), one.name)
  }
})

t.test('what another client may be told besides depends on how much its errors tell', async t => {
  const codesOf = (name: string) => [...new Set(find(name).toldByOthers.map(({ code }) => code))].sort()
  t.strictSame(codesOf('answers 503'), [])
  t.strictSame(codesOf('refuses the connection'), ['UPSTREAM_CONNECTION_LOST', 'UPSTREAM_INVALID_RESPONSE', 'UPSTREAM_PROTOCOL_ERROR', 'UPSTREAM_UNREACHABLE'])
  t.strictSame(codesOf('reads the request and is silent'), ['REQUEST_TIMEOUT', 'UPSTREAM_TIMEOUT'])
  t.ok(codesOf('answers 503 and cuts its body short').includes('UPSTREAM_UNAVAILABLE'))
})

t.test('loops lead back to where they are met, and an echo repeats what it was told', async t => {
  const request: RogueRequest = { method: 'GET', path: '/a', text: 'GET /a\r\nauthorization: Bearer x', origin: '', otherOrigin: '' }
  const sent = (name: string) => {
    const { steps } = find(name).behaviour
    return JSON.stringify(typeof steps === 'function' ? steps(request) : steps)
  }
  t.match(sent('redirects to itself with 307'), /307.*location: \/a/)
  t.match(sent('redirects to itself with 301'), /301.*location: \/a/)
  t.match(sent('answers 400 and repeats the request'), /400.*authorization: Bearer x/)
  t.match(find('answers 500 and repeats the request'), { status: 500 })
})
