import { isIP } from 'node:net'

/** An origin as browsers write it, `https://app.example.com:8443`; `undefined` for all else, `null` and two origins in one header among it. */
export function readOrigin (text: string): URL | undefined {
  return /^[a-z][a-z\d+.-]*:\/\/[^\s/?#@\\]+$/i.test(text) ? read(text) : undefined
}

/** A host as requests name it, `tools.example.com:8443`; `undefined` where it is none. With the scheme, whose default port may be said or not. */
export function readHost (text: string, scheme = 'http:'): URL | undefined {
  return /^[^\s/?#@\\]+$/.test(text) ? read(`${scheme}//${text}`) : undefined
}

/** How origins are compared: parsed, so that letter case, a default port and the spelling of an address do not matter. */
export function originKey ({ protocol, host }: URL): string {
  return `${protocol}//${host}`
}

/** The name of a host, without the dot that may stand at the end of every full name. */
export function nameOf ({ hostname }: URL): string {
  return hostname.replace(/\.$/, '')
}

/** Is this a name that nobody else's page can have, because nobody's name server is asked for it? */
export function isLocalName (name: string): boolean {
  return name === 'localhost' || isIP(name.replace(/^\[|\]$/g, '')) > 0
}

/** Is this an address of the machine itself, which no other can reach? */
export function isLoopback (address: string | undefined): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address ?? '')
}

function read (url: string): URL | undefined {
  try { return new URL(url) } catch { return undefined }
}
