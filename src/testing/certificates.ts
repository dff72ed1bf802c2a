/**
 * Certificates for servers in tests. They prove nothing to anybody: their keys are public, and of the authority's key nothing is left.
 *
 * Made once with OpenSSL 3 (`openssl ecparam -name prime256v1 -genkey`, `openssl req -new`, `openssl ca -startdate 20200101000000Z
 * -enddate 21200101000000Z`), because Node makes no certificates and not every machine has an `openssl`. All four share one key.
 */
export interface Certificate {
  /** PEM. */
  readonly cert: string
  /** PEM, PKCS #8. */
  readonly key: string
}

/** The authority that signed all but the self-signed one: trust it to get past "unknown authority" to what else is wrong. PEM. */
export const testAuthority = `-----BEGIN CERTIFICATE-----
MIIBczCCARmgAwIBAgIBEDAKBggqhkjOPQQDAjAgMR4wHAYDVQQDDBVjYW5kb3Ig
dGVzdCBhdXRob3JpdHkwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBa
MCAxHjAcBgNVBAMMFWNhbmRvciB0ZXN0IGF1dGhvcml0eTBZMBMGByqGSM49AgEG
CCqGSM49AwEHA0IABB+SW2WRMFkUnee8NL4A9nvybeFtdMxqdBAHLCEdAfHcXhYN
C/idLLh27Ntd6KZScWkkOvSET6R5258bGG823eqjQjBAMA8GA1UdEwEB/wQFMAMB
Af8wDgYDVR0PAQH/BAQDAgIEMB0GA1UdDgQWBBToc8374eK+ebYXSoECv3DS7qbp
STAKBggqhkjOPQQDAgNIADBFAiEA3r/IgnN1YjYYAdY0iDw5S3mmgCdIbuoCCH83
qbnqSloCIENb4GA8J0XhWxjBhUZGKKgWdrgTCYEaqSQl04zFOCwL
-----END CERTIFICATE-----
`

const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg8UYWs0luKxJFRf6x
W1aySjXCkdpbpmJ5yAKAPDC8pImhRANCAATmFZM3Ixg7ws+r6c+nYGO0i8Oif/sW
gJG7x5vvnNM3D7PswnQ+qU8692EQ6VFIbQYb5ftGaZddrraeqiZffSz/
-----END PRIVATE KEY-----
`

/** Certificates by what is wrong with them; `trusted` is right for `localhost` and `127.0.0.1`. */
export const certificates = {
  trusted: {
    key,
    cert: `-----BEGIN CERTIFICATE-----
MIIBjDCCATKgAwIBAgIBETAKBggqhkjOPQQDAjAgMR4wHAYDVQQDDBVjYW5kb3Ig
dGVzdCBhdXRob3JpdHkwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBa
MB0xGzAZBgNVBAMMEmNhbmRvciB0ZXN0IHNlcnZlcjBZMBMGByqGSM49AgEGCCqG
SM49AwEHA0IABOYVkzcjGDvCz6vpz6dgY7SLw6J/+xaAkbvHm++c0zcPs+zCdD6p
Tzr3YRDpUUhtBhvl+0Zpl12utp6qJl99LP+jXjBcMBoGA1UdEQQTMBGCCWxvY2Fs
aG9zdIcEfwAAATAdBgNVHQ4EFgQUEFtHO3GkxVExhpjpDkoZWNTrGlgwHwYDVR0j
BBgwFoAU6HPN++Hivnm2F0qBAr9w0u6m6UkwCgYIKoZIzj0EAwIDSAAwRQIgOqCZ
poWTZO+LLbd85QyL8yXi+uHRMupB4E74SCSBAkICIQCb8/KJvx91+dqRZicOIfOX
5B4/K3gDe8RGXKm68Ho21w==
-----END CERTIFICATE-----
`
  },
  self_signed: {
    key,
    cert: `-----BEGIN CERTIFICATE-----
MIIBaDCCAQ6gAwIBAgIBFDAKBggqhkjOPQQDAjAdMRswGQYDVQQDDBJjYW5kb3Ig
dGVzdCBzZXJ2ZXIwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMB0x
GzAZBgNVBAMMEmNhbmRvciB0ZXN0IHNlcnZlcjBZMBMGByqGSM49AgEGCCqGSM49
AwEHA0IABOYVkzcjGDvCz6vpz6dgY7SLw6J/+xaAkbvHm++c0zcPs+zCdD6pTzr3
YRDpUUhtBhvl+0Zpl12utp6qJl99LP+jPTA7MBoGA1UdEQQTMBGCCWxvY2FsaG9z
dIcEfwAAATAdBgNVHQ4EFgQUEFtHO3GkxVExhpjpDkoZWNTrGlgwCgYIKoZIzj0E
AwIDSAAwRQIhALGnRbxcI+I46Or50oyyCHk1HrPCfiZiH3fLY/MxnUMUAiB24PVs
SuRYBOHTefax3R6zJaixiIJCeLbrowKtDt0FOw==
-----END CERTIFICATE-----
`
  },
  wrong_name: {
    key,
    cert: `-----BEGIN CERTIFICATE-----
MIIBkzCCATigAwIBAgIBEjAKBggqhkjOPQQDAjAgMR4wHAYDVQQDDBVjYW5kb3Ig
dGVzdCBhdXRob3JpdHkwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBa
MB0xGzAZBgNVBAMMEmNhbmRvciB0ZXN0IHNlcnZlcjBZMBMGByqGSM49AgEGCCqG
SM49AwEHA0IABOYVkzcjGDvCz6vpz6dgY7SLw6J/+xaAkbvHm++c0zcPs+zCdD6p
Tzr3YRDpUUhtBhvl+0Zpl12utp6qJl99LP+jZDBiMCAGA1UdEQQZMBeCFXNvbWVi
b2R5LWVsc2UuaW52YWxpZDAdBgNVHQ4EFgQUEFtHO3GkxVExhpjpDkoZWNTrGlgw
HwYDVR0jBBgwFoAU6HPN++Hivnm2F0qBAr9w0u6m6UkwCgYIKoZIzj0EAwIDSQAw
RgIhAOHGfJqtkb8xQcPRNA/Z0Z4xXObrlPB1SMsjqBeN2X3CAiEAzH4w+OzoRGVz
eUcQp9cRjXLWJ3JTXHUtPyCFBxbU3kg=
-----END CERTIFICATE-----
`
  },
  expired: {
    key,
    cert: `-----BEGIN CERTIFICATE-----
MIIBiTCCATCgAwIBAgIBEzAKBggqhkjOPQQDAjAgMR4wHAYDVQQDDBVjYW5kb3Ig
dGVzdCBhdXRob3JpdHkwHhcNMjAwMTAxMDAwMDAwWhcNMjAwMTAyMDAwMDAwWjAd
MRswGQYDVQQDDBJjYW5kb3IgdGVzdCBzZXJ2ZXIwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATmFZM3Ixg7ws+r6c+nYGO0i8Oif/sWgJG7x5vvnNM3D7PswnQ+qU86
92EQ6VFIbQYb5ftGaZddrraeqiZffSz/o14wXDAaBgNVHREEEzARgglsb2NhbGhv
c3SHBH8AAAEwHQYDVR0OBBYEFBBbRztxpMVRMYaY6Q5KGVjU6xpYMB8GA1UdIwQY
MBaAFOhzzfvh4r55thdKgQK/cNLupulJMAoGCCqGSM49BAMCA0cAMEQCID8mZCws
PDiI6R9QEzoydX3DBBqRh9fjZ65UkQKz3mz3AiA8w3VVbkenfWmXlulDSpq7acbB
76m2Q/esTzpV+9Wh6Q==
-----END CERTIFICATE-----
`
  }
} as const satisfies Record<string, Certificate>

export type CertificateName = keyof typeof certificates
