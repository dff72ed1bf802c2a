/** Whose web pages may call a service. */
export interface CorsOptions {
  /** Origins such as `https://app.example.com`, without a path; `'*'` alone for every page there is. */
  origins: readonly string[]
  /** May a page send cookies and HTTP authentication along? Not with `'*'`. @default false */
  credentials?: boolean
  /** How long a browser remembers what it was allowed, in seconds. @default 600 */
  maxAgeSeconds?: number
}

/** What is wrong with these options, each as a sentence; empty where they may be used, and without any. */
export function mistakesInCors (_cors: unknown): string[] {
  return []
}
