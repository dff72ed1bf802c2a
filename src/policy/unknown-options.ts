import { didYouMean } from '../schema/lint-keywords.js'

/** What an option may be called. A key of another form may be a secret that slipped into the wrong place. */
const NAME = /^[a-z]{1,30}$/i

/**
 * A sentence for each key that is no option, with the spelling that was meant. `where` is what they are options of. A key is
 * quoted only where it is near an option, or looks like the name of one.
 */
export function unknownOptions (given: object, known: readonly string[], where: string): string[] {
  return Object.keys(given).filter(option => !known.includes(option)).map(option => {
    const near = didYouMean(option, known)
    const shown = near !== '' || NAME.test(option) ? `\`${option.slice(0, 80)}\`` : 'an unknown option'
    return `Expected only known options of \`${where}\`, got ${shown}${near === '' ? '.' : near}`
  })
}
