import t from 'tap'
import { mayHoldSecret, redactPatterns, redactUserInfo } from '../../../src/protocol/redact-text.js'
import { cpuMs } from '../../fixtures/cpu-time.js'

// Each text, and what is left of it; `…` stands for what was taken out.
const SECRET_TEXTS: ReadonlyArray<readonly [text: string, left: string]> = [
  // Schemes
  ['authorization: Bearer sk-live-1234.abc_~+/==', 'authorization: Bearer …'],
  ['It was sent with Bearer abc123.', 'It was sent with Bearer …'],
  ['bearer AbcDefGhiJklMno', 'bearer …'],
  ['basic dXNlcjpwYXNz', 'basic …'],
  ['Bearer hunter', 'Bearer …'],
  ['Basic dTpw refused', 'Basic … refused'],
  ['Basic a1b2c3d4e5f6 refused', 'Basic … refused'],
  // Addresses
  ['https://user:SECRET2@host/path', 'https://…@host/path'],
  ['redis://:p@ss@cache:6379', 'redis://…@cache:6379'],
  [`postgres://${'u'.repeat(900)}@db/x`, 'postgres://…@db/x'],
  ['postgres://user:pa/s#s@db:5432/x failed', 'postgres://…@db:5432/x failed'],
  ['{"url":"https:\\/\\/u:p@h\\/x"}', '{"url":"https:\\/\\/…@h\\/x"}'],
  ['user:pw@tcp(db:3306)/shop', '…@tcp(db:3306)/shop'],
  ['GET /v1?key=SECRET1&city=Bern&api_key=x#top', 'GET /v1?key=…&city=Bern&api_key=…'],
  ['key=SECRET1&city=Bern', 'key=…&city=Bern'],
  ['/?sig=a&code=SplxlOBeZQ&access_token=c;token=d', '/?sig=…&code=…&access_token=…;token=…'],
  ['/cb#access_token=abc&state=1', '/cb#access_token=…&state=1'],
  ['/map;token=abc', '/map;token=…'],
  [`/?token=${'s'.repeat(5_000)}&q=1`, '/?token=…&q=1'],
  ['/?user[password]=x&n=1', '/?user[password]=…&n=1'],
  ['to=https%3A%2F%2Fh%2F%3Ftoken%3Dabc%26x%3D1', 'to=https%3A%2F%2Fh%2F%3Ftoken%3D…%26x%3D1'],
  ['to=https%3A%2F%2Fh%2F%3Fkey%3Dabc1', 'to=https%3A%2F%2Fh%2F%3Fkey%3D…'],
  ['/?token%3DX', '/?token%3D…'],
  ['https://abc123@sentry.example/1', 'https://…@sentry.example/1'],
  ['to=https%3A%2F%2Fu%3Apw%40host%2Fx', 'to=https%3A%2F%2F…%40host%2Fx'],
  // Connection strings and variables
  ['Server=tcp:db,1433;User ID=sa;Password=my pass word;Encrypt=True', 'Server=tcp:db,1433;User ID=sa;Password=…;Encrypt=True'],
  ['AccountName=a;AccountKey=abc+/==;EndpointSuffix=core', 'AccountName=a;AccountKey=…;EndpointSuffix=core'],
  ['password=hunter2 tried', 'password=… tried'],
  ["API_KEY = 'a b'", "API_KEY = '…'"],
  ['{user=u, password=abc, n=1}', '{user=u, password=…, n=1}'],
  ['[password] => hunter', '[password] => …'],
  ["'password' => 'hunter'", "'password' => '…'"],
  // Headers
  ['Authorization: Bearer hunter\nHost: h', 'Authorization: Bearer …\nHost: h'],
  ['Proxy-Authorization: Basic abc', 'Proxy-Authorization: Basic …'],
  ['Authorization: hunter', 'Authorization: …'],
  ['Cookie: a=b; c=d', 'Cookie: …'],
  ['Set-Cookie: sid=abc; Path=/', 'Set-Cookie: …'],
  ['X-Api-Key: hunter', 'X-Api-Key: …'],
  ['curl -H "Authorization: Bearer abc" https://h', 'curl -H "Authorization: Bearer …" https://h'],
  ['GET /\\r\\nauthorization: Bearer abc\\r\\ncookie: a=b\\r\\nHost: h', 'GET /\\r\\nauthorization: Bearer …\\r\\ncookie: …\\r\\nHost: h'],
  ["{ authorization: 'Bearer abc', host: 'h' }", "{ authorization: '…', host: 'h' }"],
  ["[ 'authorization', 'Bearer abc', 'x-api-key', 'b', 'host', 'h' ]", "[ 'authorization', '…', 'x-api-key', '…', 'host', 'h' ]"],
  // JSON in text
  ['sent {"password":"hunter","n":1}', 'sent {"password":"…","n":1}'],
  ['sent {\\"password\\":\\"hun\\\\\\"ter\\",\\"n\\":1}', 'sent {\\"password\\":\\"…\\",\\"n\\":1}'],
  ['sent {"secret" : 123456, "n":1}', 'sent {"secret" : "…", "n":1}'],
  ['sent {"credentials":{"user":"a","pw":["b"]},"n":1}', 'sent {"credentials":"…","n":1}'],
  ['sent {"token":"cut of', 'sent {"token":"…'],
  // Words with a colon
  ['password: hunter', 'password: …'],
  ['login failed, password: hunter2, user: u', 'login failed, password: …, user: u'],
  ["token: 'hunter'", "token: '…'"],
  ['token: abc123', 'token: …'],
  ['api key: hunter', 'api key: …'],
  ['credentials: { user: 1 }', 'credentials: …'],
  // Keys and tokens that say what they are
  ['-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY----- and -----BEGIN PRIVATE KEY-----\\nabc\\n-----END PRIVATE KEY-----!', '… and …!'],
  ['cut: -----BEGIN PRIVATE KEY----- abc -----BEGIN PRIVATE KEY-----', 'cut: …'],
  ['cut: -----BEGIN PRIVATE KEY----- abc -----END PRI', 'cut: …'],
  ['got eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc_def!', 'got …!'],
  ['got ghp_abcdefghij1234567890 and sk_live_12345678', 'got … and …'],
  ['npm_abcdefghij1234567890, hf_abcdefghij1234567890 and whsec_abcdefghij123456', '…, … and …'],
  ['SG.abcdefghij123456.abcdefghij123456 ya29.abcdefghij123456 pk_live_12345678 github_pat_abcdefghij1234567890', '… … … …'],
  // Elements
  ['<a><password x="1">hunter</password><n>1</n></a>', '<a><password x="1">…</password><n>1</n></a>'],
  ['<ns:token>hunter<\\/ns:token>', '<ns:token>…<\\/ns:token>']
]

const ORDINARY_TEXTS = [
  'basic plan', 'Basic hunter', 'pass: 5, fail: 3', 'pass=5', '{"pass":12}', 'cookies: 5', '{"token":5}', '?key=name&order=asc', '?key=created_at', 'to=%3Fkey%3Dname', 'ssh://git@github.com/x', 'git clone https://git@host', '"credentials":"caller"', 'token_cost=512345', 'pageToken=abc12345',
  'Unexpected <token> in <place>', '<city>Bern</city>', 'eyJhbGciOiJIUzI1NiJ9', 'eyJhbGciOiJIUzI1NiJ9.short', '"password":""',
  '', 'No place matches.', '/?city=Bern&units=metric', 'https://host/a@b', 'http://host:8080/a@b', 'see https://medium.com/@user/post', 'mail a@b.example', 'a=b', 'max_tokens=5', 'code=EUR', '/?base=USD&code=EUR', 'key=value', 'sort key=name',
  'Bearer token expired', 'Bearer token', 'Basic auth', 'Bearer authentication is required', 'The Bearer OAuth2 flow', 'Basic usage', 'Basic authentication failed', 'Basic plan, 100GB', 'The Basic 123456789012 plan', 'The Basic authenticationfailed', 'Bearer realm="api", error="invalid_token"',
  'token: expected a string', 'password: must be at least 8 characters', 'password: String should have at least 8 characters', 'Authorization: missing', 'Cookie: missing', 'Unexpected token: <', 'token: 401 Unauthorized', 'signature: mismatch',
  'failed to refresh token: connect ECONNREFUSED', 'failed to get token: https://auth.example/token returned 500', 'api key: https://docs.example/keys', 'scope token:write is missing', 'auth: read write', 'The secret to success: practice',
  'token=null', 'token=undefined', 'if (token === null) {', 'const token => x', 'fields: ["password", "email"]', "['client-id', 'email'] are required", '"password" is required', '"password": must be a string', '"token": null', '"secret": true', 'Expected `auth` to be an object: got null.',
  'max_tokens: 100, token_count: 5, monkey: abc123x, author: me12345, passenger: 1', 'public key: abc123', 'keyboard: qwerty1', 'cookiecutter=abc1234', 'password=', 'password: ', 'ask-a-question-about-it', '-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----', 'password, token and secret', 'to=%2Fx%3Fcity%3Dbern%26n%3D1'
]

t.test('what looks like a credential is taken out, whatever its value', async t => {
  for (const [text, left] of SECRET_TEXTS) {
    const clean = left.replaceAll('…', '[redacted]')
    t.equal(redactPatterns(text), clean)
    t.equal(redactPatterns(clean), clean, 'twice is once')
    t.ok(mayHoldSecret(text), `seen before it is looked for: ${text}`)
    t.ok(mayHoldSecret(JSON.stringify({ msg: text })), `seen in a line of JSON: ${text}`)
  }
})

t.test('words of a sentence are left alone', async t => {
  for (const text of ORDINARY_TEXTS) t.equal(redactPatterns(text), text)
})

t.test('an ordinary line is not even looked through', async t => {
  for (const text of ['', '{"level":30,"time":1764484617000,"pid":7,"hostname":"web-1","requestId":"0b9f","capability":"current_weather","code":"UPSTREAM_UNAVAILABLE","status":502,"msg":"The upstream does not answer."}', 'https://h/a b@c']) t.notOk(mayHoldSecret(text), text)
})

t.test('who logs in is taken out of addresses alone', async t => {
  t.equal(redactUserInfo('password=a https://u:p@h/?token=b'), 'password=a https://[redacted]@h/?token=b')
  t.equal(redactUserInfo('password=a'), 'password=a')
})

t.test('other names can be named', async t => {
  const own = (name: string): boolean => name === 'cvv'
  for (const [text, clean] of [['cvv=123', 'cvv=[redacted]'], ['cvv: 123', 'cvv: [redacted]'], ['{"cvv":"123"}', '{"cvv":"[redacted]"}'], ['cvv: expected a string', 'cvv: expected a string'], ['password=x', 'password=x']] as const) t.equal(redactPatterns(text, own), clean)
})

t.test('a megabyte takes no time, whatever is in it', async t => {
  const parts = [
    'key=', 'sig=', 'token:a', 'password: {[( ', 'key=)', 'password: (', '"token":1', 'eyJ-', 'eyJaaaaaaaaa-', 'a://', 'https://a:', 'a=b&', 'Bearer ', 'a.', '"', '\\', '\\"', 'token=[', 'password="', "token: '", '://u:', '-----BEGIN PRIVATE KEY-----', '-----END ',
    '%3Ftoken%3D', '%3A%2F%2F', 'a[', 'x@', 'Basic ', 'eyJ', 'session ', 'password=a;', 'password= ;', 'api key=', ':', 'cookie: a=', 'authorization: Bearer ', '<a>', '<password>', 'SG.', 'token=>'
  ]
  for (const part of parts) {
    const text = '?' + part.repeat(1_048_576 / part.length)
    const took = cpuMs(() => [mayHoldSecret(text), redactPatterns(text)])
    t.ok(took < 4_000, `${part}: quadratic time would be minutes`)
  }
})
