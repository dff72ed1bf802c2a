import t from 'tap'
import { lintPattern } from '../../../src/schema/lint-patterns.js'

const severity = (pattern: unknown, maxLength?: number) => lintPattern(pattern, maxLength)?.severity

t.test('patterns that people write are sound', async t => {
  const sound = [
    '^[A-Z]{2}\\d{4}$', '^\\d{4}-\\d{2}-\\d{2}$', '^[a-z][a-z0-9-]{0,62}$', '^[a-z0-9]+(?:-[a-z0-9]+)*$', '^[A-Z]{3}(,[A-Z]{3})*$', '^(.*)$', '^(0|[1-9][0-9]*)$',
    '^[\\w.+-]+@[\\w-]+\\.[\\w.]+$', '^https?://[^\\s/$.?#].[^\\s]*$', '^(?<year>\\d{4})-(?<month>\\d\\d)$', '^\\p{L}[\\p{L} \'-]{0,99}$', '^[\\p{L}\\p{M}]+([ \'-][\\p{L}\\p{M}]+)*$',
    '^\\p{Script=Latin}+$', '^\\p{Letter}+$', '^(?:[^"\\\\]|\\\\.)*$', '^(?:(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)\\.)*$', '^(?=.*[a-z])(?=.*\\d).{8,}$', '(?<!a)b', '^#?([a-f0-9]{6}|[a-f0-9]{3})$', '^[(](a{5})?[)]$'
  ]
  for (const pattern of sound) t.equal(lintPattern(pattern), undefined, pattern)
})

t.test('a pattern that a short text can hang is refused, whatever its length', async t => {
  for (const pattern of ['^(a+)+$', '^(a|a)*$', '^(\\w+\\s?)+$', '(x+x+)+y', '^(a{1,3}){1,30}$', '^(?:(?:a|a)b){5,}$', '^(?=(a+)+$)', '^(a?){25}a{25}$', '^([a-zA-Z0-9])(([-.]|[_]+)?([a-zA-Z0-9]+))*@$']) {
    t.equal(severity(pattern, 30), 'error', pattern)
  }
  t.match(lintPattern('^(a+)+$')?.text, "got '^(a+)+$': a short text can hold the service for minutes")
})

t.test('a pattern that only a long text can hang needs a limit on the length', async t => {
  for (const [pattern, most] of [['^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$', 391], ['^[A-Za-z]+[A-Za-z0-9]*$', 4472], ['\\s+$', 4472], ['.*a.*b.*c', 124]] as const) {
    t.equal(severity(pattern), 'error', pattern)
    t.equal(severity(pattern, most), undefined)
    t.equal(severity(pattern, most + 1), 'error')
    t.match(lintPattern(pattern)?.text, `at most ${most}`)
  }
})

t.test('a pattern that is no regular expression is refused', async t => {
  for (const pattern of ['(', '[a', '\\-', 5, null]) t.equal(severity(pattern), 'error', String(pattern))
})

t.test('a pattern that cannot be looked into is warned about', async t => {
  t.equal(severity('^(?<a>x+)\\k<a>+$'), 'warning')
})
