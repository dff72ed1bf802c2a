import t from 'tap'
import { flag, host, milliseconds, port, readSettings, url } from '../../example-tools/settings.js'

const spec = { PORT: port(8080), HOST: host, RATES_URL: url('https://api.example.com'), OTHER_URL: url(undefined), TIMEOUT_MS: milliseconds(4_000), SIMULATED: flag }

t.test('what is not set is as the spec says', async t => {
  t.strictSame(readSettings(spec, {}), { PORT: 8080, HOST: '127.0.0.1', RATES_URL: 'https://api.example.com', OTHER_URL: undefined, TIMEOUT_MS: 4_000, SIMULATED: false })
})

t.test('what is set is read', async t => {
  const env = { PORT: '0', HOST: '0.0.0.0', RATES_URL: 'http://providers:8090/base?key=1', OTHER_URL: 'http://[::1]:80', TIMEOUT_MS: '1', SIMULATED: 'true', UNRELATED: 'x' }
  t.strictSame(readSettings(spec, env), { PORT: 0, HOST: '0.0.0.0', RATES_URL: 'http://providers:8090/base?key=1', OTHER_URL: 'http://[::1]:80', TIMEOUT_MS: 1, SIMULATED: true })
  t.equal(readSettings(spec, { SIMULATED: 'false' }).SIMULATED, false)
})

const bad: Array<[env: Record<string, string>, message: string]> = [
  ...['', 'http', '-1', '65536', '80.5', '0x50', '8e3', ' 80', '+80'].map((PORT): [Record<string, string>, string] => [{ PORT }, `Expected PORT to be a whole number from 0 to 65535, got '${PORT}'.`]),
  ...['', 'a b', 'http://localhost'].map((HOST): [Record<string, string>, string] => [{ HOST }, `Expected HOST to be a host name or an IP address, got '${HOST}'.`]),
  ...['', 'nowhere', 'api.example.com', 'ftp://api.example.com', 'file:///etc', 'http://', ' http://a', 'http://a/#b'].map((RATES_URL): [Record<string, string>, string] =>
    [{ RATES_URL }, `Expected RATES_URL to be an absolute http: or https: URL without a #fragment, got '${RATES_URL}'.`]),
  ...['', '0', '-5', '1.5', '2147483648', '5s', 'Infinity', 'NaN'].map((TIMEOUT_MS): [Record<string, string>, string] =>
    [{ TIMEOUT_MS }, `Expected TIMEOUT_MS to be a whole number of milliseconds from 1 to 2147483647, got '${TIMEOUT_MS}'.`]),
  ...['', 'yes', '1', 'TRUE'].map((SIMULATED): [Record<string, string>, string] => [{ SIMULATED }, `Expected SIMULATED to be true or false, got '${SIMULATED}'.`])
]

t.test('what makes no sense is one clear line', async t => {
  for (const [env, message] of bad) t.throws(() => readSettings(spec, env), { message }, JSON.stringify(env))
})

t.test('all mistakes are told at once, a line each', async t => {
  t.throws(() => readSettings(spec, { PORT: 'x', SIMULATED: 'x' }), {
    message: "Expected PORT to be a whole number from 0 to 65535, got 'x'.\nExpected SIMULATED to be true or false, got 'x'."
  })
})

t.test('a line stays a line, short and without what may be a secret', async t => {
  const message = (RATES_URL: string): string => {
    try {
      readSettings(spec, { RATES_URL })
    } catch (error) {
      return (error as Error).message
    }
    return 'accepted'
  }
  t.match(message('ftp://user:secret@example.com/?key=secret'), /got 'ftp:\/\/…@example\.com\/\?…'\.$/)
  t.match(message('one\ntwo\u001b[31m'), /got 'one two \[31m'\.$/)
  t.ok(message('x'.repeat(5_000)).length < 250)
})
