import t from 'tap'
import { mistakesInCors } from '../../../src/policy/cors-options.js'

t.test('without options no page is named, and a sound list may be used', async t => {
  t.strictSame(mistakesInCors(undefined), [])
  t.strictSame(mistakesInCors({ origins: ['*'] }), [])
  t.strictSame(mistakesInCors({ origins: ['https://app.example.com', 'http://localhost:5173', 'http://[::1]', 'capacitor://localhost'], credentials: true, allowedHeaders: ['x-api-key'], exposedHeaders: ['X-Total'], maxAgeSeconds: 0 }), [])
  t.strictSame(mistakesInCors({ origins: ['*'], credentials: undefined, allowedHeaders: undefined, exposedHeaders: undefined, maxAgeSeconds: undefined }), [])
})

t.test('everything wrong is told at once', async t => {
  t.strictSame(mistakesInCors({ origins: ['*', 'https://app.example.com/'], credentials: true, allowedHeaders: 'x-api-key', exposedHeaders: ['a b'], maxAgeSeconds: -1, colour: 5, credential: 1 }), [
    'Expected only known options of `cors`, got `colour`.',
    'Expected only known options of `cors`, got `credential`. Did you mean `credentials`?',
    "Expected `cors.origins` to be ['*'] or a list of origins, got both.",
    "Expected `cors.origins[1]` to be a scheme and a host, no path and no pattern, as in 'https://app.example.com', got a string.",
    "Expected `cors.credentials` to be left out beside '*': every page there is could act as whoever looks at it.",
    'Expected `cors.allowedHeaders` to be an array of header names, got a string.',
    'Expected `cors.exposedHeaders[0]` to be the name of a header, got a string.',
    'Expected `cors.maxAgeSeconds` to be a whole number from 0 to 86400, got -1.'
  ])
})

t.test('what is no origin is named', async t => {
  for (const origin of ['app.example.com', '//app.example.com', 'https://app.example.com/path', 'https://app.example.com?x', 'https://*.example.com', 'https://user@app.example.com', 'null', '', 'file://', /example/, null, 5, undefined]) {
    t.match(mistakesInCors({ origins: [origin] }), [/^Expected `cors.origins\[0\]` to be a scheme and a host/], String(origin))
  }
})

t.test('other types are no options', async t => {
  for (const cors of [null, true, '*', ['*'], 5]) t.match(mistakesInCors(cors), [/^Expected `cors` to be an object/], String(cors))
  for (const origins of [undefined, null, '*', [], {}]) t.match(mistakesInCors({ origins }), [/^Expected `cors.origins` to be an array/], String(origins))
  t.match(mistakesInCors({ origins: ['*'], credentials: 'yes' }), [/`cors.credentials` to be a boolean, got a string/])
  for (const maxAgeSeconds of ['5', NaN, 1.5, 86_401, null]) t.match(mistakesInCors({ origins: ['*'], maxAgeSeconds }), [/`cors.maxAgeSeconds`/], String(maxAgeSeconds))
  for (const allowedHeaders of [null, ['*'], [5], ['']]) t.match(mistakesInCors({ origins: ['*'], allowedHeaders }), [/`cors.allowedHeaders/], String(allowedHeaders))
})

t.test('no text that was given is repeated', async t => {
  const all = [{ origins: ['https://ann:SECRET@app.example.com'] }, { origins: 'SECRET' }, 'SECRET', { origins: ['*'], credentials: 'SECRET', allowedHeaders: 'SECRET', exposedHeaders: ['x: SECRET'], maxAgeSeconds: 'SECRET' }]
  for (const cors of all) {
    const mistakes = mistakesInCors(cors)
    t.not(mistakes.length, 0)
    t.notMatch(mistakes.join(' '), /SECRET/)
  }
})
