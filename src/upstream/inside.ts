// What a third party writes down for itself, and sends by mistake: the first sign of it ends what is quoted. Each pattern
// has bounds, and runs over a few thousand characters at the most.
const STACKS = [
  /Traceback \(most recent call last\)/, /\bFile ["'][^"']{1,200}["'], line \d+/, // Python
  /\bat (?:async |new )?[\w$.#[\] ]{0,100}\(?(?:file:|node:|webpack|[A-Z]:\\|\/)[^\s)]{0,200}:\d+/, // JavaScript
  /\bat [\w$.]+\.[\w$]*\((?:[\w$]+\.(?:java|kt|scala|groovy|clj):\d+|Native Method|Unknown Source)\)/, /\bException in thread ["']/, // the JVM
  /\bat [\w.]{1,100}\([^)]{0,200}\) in \S/, /:line \d+/, // .NET
  /\bgoroutine \d+ \[/, /\bpanic: /, /\b(?:thread ['"][^'"]{1,60}['"] )?panicked at\b/, // Go, Rust
  /\bStack trace:/i, /#0 \S/, /\bFatal error: Uncaught/, / on line \d+ in \//, / in \S{1,200}\.php(?: on line |:)\d+/, // PHP
  /\S{1,200}\.(?:rb|py|js|ts|mjs|go|rs|cs|ex):\d+(?::\d+|:in\b|\b)/ // others
]
/** Names of classes as programs write them: `java.sql.SQLException`, `psycopg2.errors.UniqueViolation`. */
const CLASSES = [/\b(?:[a-z_]\w{0,60}\.){1,8}[A-Z]\w{0,80}(?:Error|Exception|Violation|Failure)\b/, /\bSystem\.(?:\w{1,40}\.){0,6}\w{0,80}Exception\b/, /\b(?:sqlalchemy|psycopg2?|mysqli?|sqlite3?|mongodb|jdbc|odbc)\b/i]
const DATABASES = [
  /\bduplicate key value violates\b/i, /\bviolates (?:unique|foreign.key|check|not.null|exclusion) constraint\b/i, /\bsyntax error at or near\b/i, /\b(?:ORA|PLS|TNS)-\d{4,5}\b/, /\bSQLSTATE\b/, /\bSQLITE_[A-Z]+/,
  /\b(?:UNIQUE|FOREIGN KEY|CHECK|NOT NULL) constraint failed\b/i, /\b(?:relation|column|table) ["'][^"']{1,100}["'] (?:of relation \S{1,100} )?does not exist/i, /\b(?:You have )?an error in your SQL syntax\b/i, /\bDuplicate entry\b.{1,200}\bfor key\b/i,
  /\bIncorrect syntax near\b/i, /\bUnclosed quotation mark\b/i, /\bdeadlock (?:detected|found)\b/i, /\bDETAIL: +Key \(/, /\bKey \([^()]{1,200}\)=\(/, /\bunterminated quoted string\b/i, /\bUnknown column ['"]/i, /\bE11000\b/
]
const STATEMENTS = [
  /\bSELECT\s[^;]{1,500}?\sFROM\s/, /\bselect\s+\*\s+from\s/i, /\bselect\s[^;]{1,500}?\sfrom\s+[\w."'`[\]]+(?:\s+(?:as\s+)?\w{1,60})?\s+(?:order\s+by|group\s+by|limit\s+\d|having\s+\S{1,100}\s*[=<>(]|(?:inner|left|right|full|cross)\s+(?:outer\s+)?join|join\s+\S{1,100}\s+(?:\w{1,60}\s+)?on|where\s+\S{1,100}\s*(?:[=<>!~]|in\s*\(|like\s*['"%$?]|is\s+(?:not\s+)?null\b|between\s))/i,
  /\bWITH\s+(?:RECURSIVE\s+)?\w{1,60}\s+AS\s*\(/, /\bwith\s+(?:recursive\s+)?\w{1,60}\s+as\s+(?:(?:not\s+)?materialized\s+)?\(\s*select\b/i, /\binsert\s+into\s+\S{1,100}\s*(?:\(|values\b|select\b)/i,
  /\bINSERT INTO\b/, /\bupdate\s+[\w."'`]+\s+set\s+[\w."'`]+\s*=/i, /\bdelete\s+from\s+[\w."'`]+\s+where\b/i, /\bDELETE FROM\b/, /\b(?:CREATE|ALTER|DROP|TRUNCATE) TABLE\b/
]
const PATHS = [
  /(?<![\w.:/-])\/(?:etc|usr|var|tmp|proc)\/[\w.-]+/, /(?<![\w.:/-])\/(?:home|opt|srv|root|mnt|Users|private|workspace|app)\/[\w.-]+\/[\w.-]+/, /(?<![\w.:/-])(?:\/[\w.@-]{1,60}){2,20}\.(?:py|js|ts|mjs|cjs|java|go|rb|cs|rs|so|jar|conf|ini|env|sql|log|pem)\b/,
  /\b[A-Z]:\\\w/, /\\\\[\w.-]+\\\w/, /\bfile:\/\//, /\bnode_modules\b|\bsite-packages\b|\bdist-packages\b/
]
const OCTET = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)'
const HOSTS = [
  new RegExp(`(?<![\\d.])(?:(?:10|127)\\.${OCTET}\\.${OCTET}|100\\.(?:6[4-9]|[7-9]\\d|1[01]\\d|12[0-7])\\.${OCTET}|192\\.168\\.${OCTET}|169\\.254\\.${OCTET}|172\\.(?:1[6-9]|2\\d|3[01])\\.${OCTET})\\.${OCTET}(?![\\d]|\\.\\d)`), /(?<![\w:.])(?:::1\b|fe80::?[\da-f]|f[cd][\da-f]{2}:[\da-f]*:)/i,
  /\b[\w-]+(?:\.[\w-]+){0,6}\.(?:internal|local|localdomain|lan|svc|intranet)(?![\w-]|\.\w|\()/i, /\blocalhost(?::\d|\/)/i,
  // A host without a dot is found by nobody outside.
  /\b[a-z][a-z\d+.-]{0,20}:\/\/(?:[^\s/@]{1,300}@)?[\w-]{1,63}(?::\d{1,5})?(?![\w.:@-])/i
]
const SIGNS = [...STACKS, ...CLASSES, ...DATABASES, ...STATEMENTS, ...PATHS, ...HOSTS]

/** Words that are left of a sentence whose rest is not shown, and say nothing without it. */
const USELESS = /\b(?:error|errors|exception|fatal|warning|uncaught|caused|by|internal|server|message|detail|in|at|on|to|from|the|a|an|of|for|with|sql|query|statement|host|file|could|not|failed|unhandled|http|https|url|dial|tcp|lookup|connect)\b/gi

/**
 * The part of a text before a sign of a program's inside: a stack, SQL or its complaint, a path of a server, an internal
 * host or address. `undefined` where nothing useful is left.
 */
export function beforeInside (text: string): string | undefined {
  const first = Math.min(...SIGNS.map(sign => text.search(sign)).filter(index => index !== -1))
  if (first === Infinity) return text
  const before = text.slice(0, first).replace(/[\s:;,.([{'"=>#-]+$/, '')
  return (before.replace(USELESS, '').match(/\p{L}/gu)?.length ?? 0) >= 4 ? before : undefined
}
