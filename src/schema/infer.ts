/** A JSON Schema object: one of TypeBox, or a plain one. */
export interface JsonSchema { readonly [keyword: string]: any }

/**
 * What a schema describes, as a type: exact for a TypeBox schema, `unknown` for plain JSON Schema.
 * Structural on purpose: a project that holds two copies of TypeBox must not notice.
 */
export type Infer<S> = S extends { static: unknown } ? (S & { params: [] })['static'] : unknown
