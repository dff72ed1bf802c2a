import { isScope } from '../capability/scope.js'
import { basePath } from './base-path.js'
import { METADATA_PATHS } from './protected-resource.js'

/** What has to be read before anybody can have credentials, or by machines that have none. */
const ALWAYS: readonly string[] = ['/health', '/ready', ...METADATA_PATHS]

/** Is a route never asked who calls, whatever is sent? `path` as in `isPublicPath`. */
export function isUnasked (path: string): boolean {
  return ALWAYS.includes(path)
}

/**
 * Is a route open to everybody? `path` is the one it was registered with: what a router makes of letter case, encoding and dots in
 * an address has been made of it already.
 */
export function isPublicPath (path: string, entries: readonly string[] = []): boolean {
  return isUnasked(path) || entries.some(entry => covers(entry, path))
}

/** The entries that no route is meant by. */
export function idleEntries (entries: readonly string[], paths: readonly string[]): string[] {
  return entries.filter(entry => !paths.some(path => covers(entry, path)))
}

/** Is this an entry for public routes: a path, `/*` at its end for all below it? All there is, is none. */
export function isPublicEntry (entry: unknown): boolean {
  return typeof entry === 'string' && /^\/[^\s?#]+$/.test(entry) && entry !== '/*'
}

/** A registered path without the prefix of the service. */
export function belowPrefix (path: string, prefix: string): string {
  return path.slice(basePath(prefix).length)
}

function covers (entry: string, path: string): boolean {
  if (entry === path) return true
  const above = entry.endsWith('/*') ? entry.slice(0, -2) : undefined
  return above !== undefined && (path === above || path.startsWith(`${above}/`))
}

/** What is wrong with what a route says of its callers, each as a sentence. */
export function mistakesInRoute (url: string, config: { public?: unknown, scopes?: unknown } = {}): string[] {
  const { public: open, scopes } = config
  const mistakes: string[] = []
  if (open !== undefined && typeof open !== 'boolean') mistakes.push(`Route ${url}: expected \`config.public\` to be a boolean.`)
  if (scopes !== undefined && !(Array.isArray(scopes) && scopes.every(isScope))) mistakes.push(`Route ${url}: expected \`config.scopes\` to be an array of words without spaces or quotes.`)
  if (open === true && scopes !== undefined) mistakes.push(`Route ${url}: expected \`config\` to have \`public\` or \`scopes\`: on a public route nobody is asked for scopes.`)
  return mistakes
}
