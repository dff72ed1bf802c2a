import { redactPatterns, type Redactor } from '../protocol/index.js'
import { oneLine } from '../protocol/text.js'
import { attempt } from './evidence.js'
import { messageOf, type ForeignBody, type PlainHeaders } from './foreign-answer.js'
import { beforeInside } from './inside.js'

/** The two quotation marks are part of the 300. */
const MAX_POINTS = 300 - 2
/** More is never needed for 300 characters. */
const MAX_READ = 4_096
/** Left out at the end of what was cut: there half a secret may stand, which no redaction knows. */
const MARGIN = 2_048

const HTML = /<(?:!doctype|html|head|body)\b/i
const TAG = /<[^<>]*>/g
/** What could open markup or a fence, or end the quotation. */
const MARKS = /[<>`]/g
/** The signs that nobody sees go first: with the others something may be lost by which a secret is known. */
const STEPS: ReadonlyArray<readonly [what: RegExp, instead: string]> = [[/\p{Cf}/gu, ''], [TAG, ''], [MARKS, ''], [/"/g, "'"]]

/**
 * An upstream's own words as `details.api_error`: in double quotes, at most 300 characters on one line, without markup,
 * control and format characters and known secrets, and only as far as it speaks to its callers: a stack, SQL, a path or
 * an internal address ends it. `undefined` where nothing is left, and always for a page.
 */
export function quoteAnswer (body: ForeignBody, headers: PlainHeaders, redact: Redactor = text => text): string | undefined {
  const type = headers['content-type']?.[0]?.toLowerCase() ?? ''
  const said = body.json === undefined ? readableText(body.text) : messageOf(body.json)
  if (said === undefined || type.includes('html') || type.includes('xml') || HTML.test(said.slice(0, MAX_READ))) return undefined
  const clean = attempt(() => withoutSecrets(said, redact))
  const outside = clean === undefined ? undefined : beforeInside(clean)
  const line = outside === undefined ? '' : oneLine(outside, MAX_POINTS)
  return line === '' ? undefined : `"${line}"`
}

/** Before and after each step: a secret may stand there as it is, or come together when what was strewn into it is gone. */
function withoutSecrets (said: string, redact: Redactor): string {
  let text = redactPatterns(redact(said.slice(0, MAX_READ))).slice(0, said.length > MAX_READ ? -MARGIN : undefined)
  for (const [what, instead] of STEPS) text = redact(text.replace(what, instead))
  return text
}

/** Text in which somebody speaks: no page, no picture, no JSON that was too long or cut. */
function readableText (text: string | undefined): string | undefined {
  return text === undefined || /^\s*[<[{]/.test(text) || /[\0\uFFFD]/.test(text) ? undefined : text
}
