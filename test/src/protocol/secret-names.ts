import t from 'tap'
import { isSecretName, REDACTED } from '../../../src/protocol/secret-names.js'

t.test('a name that holds a credential is known in any spelling', async t => {
  for (const name of [
    'password', 'Password', 'PASSWORD', 'user_password', 'passwd', 'pwd', 'passphrase', 'secret', 'client_secret', 'clientSecret', 'client-secret', 'CLIENT_SECRET', 'token', 'accessToken', 'access_token',
    'accesstoken', 'refresh_token', 'id-token', 'X-Auth-Token', 'apiKey', 'api_key', 'api-key', 'api.key', 'APIKEY', 'APIKey', 'x-api-key', 'apikey', 'Authorization', 'Proxy-Authorization', 'authorization',
    'Cookie', 'set-cookie', 'credentials', 'signature', 'X-Amz-Signature', 'jwt', 'bearer', 'sessionId', 'session_id', 'private_key', 'privateKey', 'access_key_id', 'secretKey', 'appid', 'Ocp-Apim-Subscription-Key', 'auth',
    'x'.repeat(5_000) + '_password', 'dbPassword', 'DBPassword', 'dbpassword', 'pass', 'db_pass', 'XAPIKey', 'x_api_key', 'APIToken', 'csrftoken', 'Set-Cookie', 'connect.cookie', 'connectionString', 'AccountKey', 'apiKeys', 'refresh_tokens',
    'credential', 'user.credentials', 'token.name', 'access_tokens[0]', 'code_verifier', 'client_assertion', 'OAuth', 'x-amz-security-token', '-password-', 'secret__value', 'password2', 'apiKey2', 'token1', 'otp', 'userOtp', 'csrf', 'creds', 'hmac', 'secret_id', 'appid', 'resetToken'
  ]) t.ok(isSecretName(name), name)
})

t.test('an ordinary name is left alone', async t => {
  for (const name of [
    '', 'location', 'max_tokens', 'maxTokens', 'monkey', 'passenger', 'author', 'authority', 'keyboard', 'key', 'primaryKey', 'tokenizer', 'secretary', 'compass', 'city', 'session', 'public_key', 'cookiecutter', 'token_count', 'tokenCount', 'tokens_used', 'prompt_token_count', 'token_type', 'password_min_length', 'auth_method', 'api_key_name', 'cookie_name', 'secret_expires_at',
    'retryable', 'code', 'status', 'boarding_pass', 'passport', 'compass_token_count', 'request_id', 'idempotency_key', 'authentic', 'signatureless', 'requestId', 'hostname', 'msg', 'err', 'level', 'upstream', 'capability',
    'token_cost', 'token_id', 'tokenAddress', 'token_symbol', 'auth_time', 'auth_url', 'jwt_issuer', 'signature_algorithm', 'cookie_domain', 'secretVersion', 'app_id', 'appId', 'pageToken', 'next_page_token', 'nextToken', 'pagetoken', 'OAuth2', 'secret_name', 'tokens'
  ]) t.notOk(isSecretName(name), name)
})

t.test('what stands for a secret says so', async t => {
  t.equal(REDACTED, '[redacted]')
})

t.test('names without end are judged all the same, and none is mistaken for another', async t => {
  for (let index = 0; index < 5_000; index++) isSecretName(`name_${index}`)
  t.ok(isSecretName('password'))
  t.notOk(isSecretName('name_1'))
})
