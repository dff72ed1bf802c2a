import { X509Certificate } from 'node:crypto'
import t from 'tap'
import { certificates, testAuthority } from '../../../src/testing/certificates.js'

const authority = new X509Certificate(testAuthority)
const years = (cert: X509Certificate) => [cert.validFrom, cert.validTo].map(date => new Date(date).getUTCFullYear())

t.test('each certificate is wrong in one way, and in no other', async t => {
  for (const [name, { cert }] of Object.entries(certificates)) {
    const parsed = new X509Certificate(cert)
    t.equal(parsed.verify(authority.publicKey), name !== 'self_signed', `${name}: signed`)
    t.equal(parsed.checkIP('127.0.0.1'), name === 'wrong_name' ? undefined : '127.0.0.1', `${name}: address`)
    t.strictSame(years(parsed), name === 'expired' ? [2020, 2020] : [2020, 2120], `${name}: dates`)
  }
})

t.test('the authority is one, for a century', async t => {
  t.ok(authority.ca)
  t.strictSame(years(authority), [2020, 2120])
})
