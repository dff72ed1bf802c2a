import { didYouMean } from '../schema/lint-keywords.js'

/** A sentence for each key that is no option, with the spelling that was meant. `where` is what they are options of. */
export function unknownOptions (given: object, known: readonly string[], where: string): string[] {
  return Object.keys(given).filter(option => !known.includes(option)).map(option => {
    const near = didYouMean(option, known)
    return `Expected only known options of \`${where}\`, got \`${option.slice(0, 80)}\`${near === '' ? '.' : near}`
  })
}
