// An example of each form says more than its name.
const FORMATS: Readonly<Record<string, string>> = {
  date: 'a date like "2026-03-31"',
  'date-time': 'a date and time with its zone like "2026-03-31T14:30:00Z"',
  'iso-date-time': 'a date and time like "2026-03-31T14:30:00Z"',
  time: 'a time with its zone like "14:30:00Z"',
  'iso-time': 'a time like "14:30:00"',
  duration: 'a duration like "P1DT2H"',
  email: 'an e-mail address like "name@example.com"',
  hostname: 'a host name like "example.com"',
  ipv4: 'an IPv4 address like "192.0.2.1"',
  ipv6: 'an IPv6 address like "2001:db8::1"',
  uri: 'a URL like "https://example.com/path"',
  'uri-reference': 'a URL or a path like "/path"',
  'uri-template': 'a URL with placeholders like "https://example.com/{id}"',
  url: 'a URL like "https://example.com/path"',
  uuid: 'a UUID like "123e4567-e89b-42d3-a456-426614174000"',
  regex: 'a regular expression like "^a+$"',
  'json-pointer': 'a JSON pointer like "/a/0"',
  'relative-json-pointer': 'a relative JSON pointer like "1/a"',
  'json-pointer-uri-fragment': 'a JSON pointer like "#/a/0"',
  byte: 'base64 text like "aGk="',
  int32: 'an integer within ±2147483647',
  int64: 'an integer',
  float: 'a number',
  double: 'a number'
}

/** What a format wants, by an example of its form; of a format nobody knows its name. */
export function formatPhrase (format: string): string {
  return Object.hasOwn(FORMATS, format) ? FORMATS[format]! : `a string of format ${format}`
}
