/** Is this a content type of a JSON body: JSON or something written in JSON, in UTF-8, or none at all? */
export function isJsonMediaType (contentType: string | undefined): boolean {
  if (contentType === 'application/json') return true
  if (contentType === undefined || contentType.trim() === '') return true
  const [type = '', ...parameters] = contentType.split(';')
  if (!/^\s*application\/(?:json|[\w!#$&^.-]+\+json)\s*$/i.test(type)) return false
  return parameters.every(parameter => {
    const charset = /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/i.exec(parameter)?.[1]
    return charset === undefined || /^utf-?8$/i.test(charset)
  })
}
