interface Operation { operationId: string, description: string, 'x-candor-effect'?: 'read' | 'write' }
interface Document { paths: Record<string, { post?: Operation }> }

/** What a service offers, from its OpenAPI document: names, where each is called, and whether it changes anything. */
export async function operationsOf (baseUrl: string) {
  const response = await fetch(`${baseUrl}/openapi.json`)
  const { paths } = await response.json() as Document
  return Object.entries(paths).flatMap(([path, { post }]) => post?.['x-candor-effect'] === undefined
    ? []
    : [{ name: post.operationId, description: post.description, url: `${baseUrl}${path}`, effect: post['x-candor-effect'] }])
}
