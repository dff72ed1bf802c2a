import t from 'tap'
import { isProse, looksIssued } from '../../../src/protocol/looks-issued.js'

t.test('what a machine made is told from a word', async t => {
  for (const word of ['abc123', 'sk-live-1', 'p@ssword', 'AbcDefGhiJkl', 'abcdefghijklmnopqrstuvwx', '123456', 'dXNlcjpwYXNz', 'hunter!x', 'c2VjcmV0cw==1']) t.ok(looksIssued(word), word)
  for (const word of ['', 'token', 'expired', 'abc1', 'OAuth2', 'authentication', 'realm=', 'ECONNREFUSED', 'ERR_BAD_2', 'https://h/a1', '/run/a1', './x1', '../x1', 'token-exchange', 'access_token.', 'JavaScript', 'invalid!']) t.notOk(looksIssued(word), word)
})

t.test('a word that goes on about a credential is one of a sentence', async t => {
  for (const word of ['expected', 'Expected', 'must', 'invalid.', 'is', 'string,']) t.ok(isProse(word), word)
  for (const word of ['', 'hunter', 'hunter2', 'must1x']) t.notOk(isProse(word), word)
})
