// Words that follow the name of a credential where somebody speaks of one, and does not show it.
const PROSE = new Set((
  'expected must is are was were has have had should cannot could may might will would not no an a the this that got given missing required invalid expired wrong incorrect unknown unset empty null undefined true ' +
  'false none nil too at in of on for from to and or but with without by as if string number integer object array boolean value field length does do did failed failure error unauthorized forbidden denied mismatch ' +
  'changed reset updated unexpected please enter ok okay optional connect connection request timeout timed socket network fetch unable need needs use using used see only minimum maximum least more less than ' +
  'bad malformed revoked rejected refused ignored accepted valid ambiguous unsupported exceeded disabled enabled found absent hidden read write admin token tokens auth authentication authorization scheme usage credentials header access support'
).split(' '))

/** Is this a word of a sentence, and not what the sentence is about? */
export function isProse (word: string): boolean {
  return PROSE.has(word.slice(0, 40).toLowerCase().replace(/[^a-z]+$/, ''))
}

const MAX_LOOK = 200

// A URL, a path, or a code of errors (`ERR_BAD_TOKEN`).
const OTHER = /^(?:[a-z][a-z\d+.-]{0,20}:\/\/|\.{0,2}\/|[A-Z]{2,}(?:_[A-Z\d]+)*$)/

/** Does a word look as if a machine or a generator of passwords had made it: digits or signs within, capitals within, or very long? */
export function looksIssued (word: string): boolean {
  // A long one shows it early.
  const bare = word.slice(0, MAX_LOOK).replace(/[=:.!?]{1,99}$/, '')
  if (bare.length < 6 || OTHER.test(bare) || /^oauth\d$/i.test(bare)) return false
  return /\d/.test(bare) || /[@$%^&*+=|~!]/.test(bare) || (bare.length >= 12 && /[a-z][A-Z]/.test(bare)) || /[a-z]{24}/i.test(bare)
}
