import { isSchema } from '../schema/walk.js'

/** Where a service is reached, as its callers write it: `https://tools.example.com/weather`, or the path alone. */
export interface ServerAddress { url: string, description?: string }

/** Are these addresses that an OpenAPI document may name: http(s) URLs or paths, without query or variables? */
export function isAddresses (given: unknown): boolean {
  return Array.isArray(given) && given.length > 0 && given.every(server => isSchema(server) && isAddress(server.url) && ['undefined', 'string'].includes(typeof server.description) &&
    Object.keys(server).every(key => key === 'url' || key === 'description'))
}

function isAddress (url: unknown): boolean {
  return typeof url === 'string' && /^(https?:\/\/|\/(?!\/))[^\s?#{}\\]*$/.test(url) && URL.canParse(url, 'http://localhost')
}
