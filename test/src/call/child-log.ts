import pino, { type Logger, type LoggerOptions } from 'pino'
import t from 'tap'
import { childLog } from '../../../src/call/child-log.js'
import { loggerOptions } from '../../../plugins/server-options.js'
import { collector } from '../../fixtures/log.js'

/** A logger, children of it as requests have them, and what all of them wrote. */
function logOf (options: LoggerOptions = {}) {
  const { lines, stream } = collector()
  const parent = pino({ base: null, timestamp: false, ...options }, stream)
  return { parent, lines, child: (requestId: string, more?: object) => childLog(parent, { requestId }, more) as Logger }
}

t.test('each line of a request carries what is its own, and no other request has it', async t => {
  const { parent, lines, child } = logOf({ base: { service: 'x' } })
  const [one, two] = [child('a'), child('b')]
  two.info('first')
  one.info({ code: 'C' }, 'second')
  one.warn('third')
  parent.info('fourth')
  t.strictSame(lines, [
    { level: 30, service: 'x', requestId: 'b', msg: 'first' },
    { level: 30, service: 'x', requestId: 'a', code: 'C', msg: 'second' },
    { level: 40, service: 'x', requestId: 'a', msg: 'third' },
    { level: 30, service: 'x', msg: 'fourth' }
  ])
})

t.test('a child of it carries both, whoever writes first', async t => {
  const { lines, child } = logOf()
  const [early, late] = [child('a'), child('b')]
  late.info('own')
  for (const log of [early, late]) log.child({ route: '/x' }).child({ step: 1 }).info('below')
  early.info('own')
  t.strictSame(lines, [
    { level: 30, requestId: 'b', msg: 'own' },
    { level: 30, requestId: 'a', route: '/x', step: 1, msg: 'below' },
    { level: 30, requestId: 'b', route: '/x', step: 1, msg: 'below' },
    { level: 30, requestId: 'a', msg: 'own' }
  ])
})

t.test('what it carries can be asked for and added to, for it alone', async t => {
  const { lines, child } = logOf()
  const [one, two] = [child('a'), child('b')]
  t.strictSame(one.bindings(), { requestId: 'a' })
  one.setBindings({ user: 'u' })
  t.strictSame([one.bindings(), two.bindings()], [{ requestId: 'a', user: 'u' }, { requestId: 'b' }])
  one.info('x')
  t.strictSame(lines, [{ level: 30, requestId: 'a', user: 'u', msg: 'x' }])
})

t.test('a level that is set later holds for the children that are there; one that a child sets is its own', async t => {
  const { parent, lines, child } = logOf({ level: 'warn' })
  const [one, two] = [child('a'), child('b')]
  one.info('lost')
  parent.level = 'info'
  one.info('heard')
  t.equal(two.level, 'info')
  two.level = 'debug'
  two.debug('own')
  one.debug('lost')
  parent.debug('lost')
  child('c').debug('lost')
  t.strictSame(lines.map(({ requestId, msg }) => [requestId, msg]), [['a', 'heard'], ['b', 'own']])
  t.strictSame([one.isLevelEnabled('debug'), two.isLevelEnabled('debug')], [false, true])
})

t.test('what the parent makes of a line, or keeps out of it, holds for its children', async t => {
  const { lines, child } = logOf({
    ...loggerOptions,
    serializers: { user: ({ name }) => name, requestId: id => `<${id}>` },
    redact: ['colour', 'nested.size'],
    formatters: { level: label => ({ level: label as never }), bindings: () => ({ never: 'of a child' }) },
    mixin: (_, __, log) => ({ mixed: (log as Logger).bindings().requestId }),
    msgPrefix: '> '
  })
  child('a').info({ user: { name: 'Ann', secret: 's' }, colour: 'red', nested: { size: 'l' }, authorization: 'Bearer abc.def.ghi' }, 'hi')
  const [line] = lines
  t.match(line, { level: 'info', requestId: '<a>', mixed: '<a>', user: 'Ann', colour: '[Redacted]', nested: { size: '[Redacted]' }, authorization: '[redacted]', msg: '> hi' })
  t.notMatch(JSON.stringify(line), /abc\.def|of a child/)
})

t.test('what a request asks of its own logger, it has', async t => {
  const { lines, child } = logOf()
  const one = child('a', { level: 'debug', serializers: { n: (n: number) => n + 1 } })
  one.debug({ n: 1 }, 'x')
  child('b', {}).debug('lost')
  t.strictSame(lines, [{ level: 20, requestId: 'a', n: 2, msg: 'x' }])
})

t.test('a logger that wants to know of its children is told of each, from when it says so', async t => {
  const told: unknown[] = []
  const eager = logOf({ onChild: child => { told.push(child.bindings()) } })
  eager.child('a')
  eager.child('b').info('x')
  t.strictSame(told, [{ requestId: 'a' }, { requestId: 'b' }])
  t.match(eager.lines, [{ requestId: 'b', msg: 'x' }])
  const later = logOf()
  later.child('c').info('x')
  later.parent.onChild = child => { told.push(child.bindings()) }
  const child = later.child('d')
  t.strictSame(told.slice(2), [{ requestId: 'd' }])
  child.info('y')
  t.match(later.lines, [{ requestId: 'c' }, { requestId: 'd' }])
  t.equal(told.length, 3, 'once')
})

t.test('a logger that is no pino, or makes its children in its own way, makes them itself', async t => {
  const made: unknown[] = []
  const own = { child (...given: unknown[]) { made.push(given); return { made: made.length } } }
  t.strictSame([childLog(own, { requestId: 'a' }), childLog(own, { requestId: 'b' }, { level: 'info' })], [{ made: 1 }, { made: 2 }])
  t.strictSame(made, [[{ requestId: 'a' }, {}], [{ requestId: 'b' }, { level: 'info' }]])

  const { parent, lines } = logOf()
  const child = parent.child.bind(parent)
  // Others wrap what pino makes.
  const wrap = (log: Logger): object => ({ info: (text: string) => log.info(`wrapped ${text}`) })
  const wrapping = Object.assign(parent, { child: ((bindings: object) => wrap(child(bindings))) as never })
  for (const requestId of ['a', 'b']) (childLog(wrapping, { requestId }) as Logger).info('x')
  t.match(lines, [{ requestId: 'a', msg: 'wrapped x' }, { requestId: 'b', msg: 'wrapped x' }])
})

t.test('a child makes children in the same way', async t => {
  const { lines, child } = logOf()
  const [one, two] = ['a', 'b'].map(step => childLog(child('r'), { step }) as Logger)
  two!.info('x')
  one!.info('y')
  t.strictSame(lines, [{ level: 30, requestId: 'r', step: 'b', msg: 'x' }, { level: 30, requestId: 'r', step: 'a', msg: 'y' }])
})

t.test('a pino that gives a child what is its own without a look at that of its parent may do so', async t => {
  const key = Symbol('pino.chindings')
  const parent = { [key]: '', child (bindings: object): object { return Object.assign(Object.create(this), { [key]: JSON.stringify(bindings) }) } }
  const child = childLog(parent, { requestId: 'a' }) as typeof parent
  t.equal((child.child({ step: 1 }) as typeof parent)[key], '{"step":1}')
  t.equal(child[key], '{"requestId":"a"}')
})
