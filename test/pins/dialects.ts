import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import t from 'tap'
import { defineCapability, type JsonSchema } from 'candor'
import { build, call } from '../fixtures/build.js'
import { dialectSchemas } from '../fixtures/dialect-schemas.js'
import { brokenAnthropic, brokenGemini, brokenMcp, brokenOpenai } from '../fixtures/vendor-subsets.js'

interface Tool { name: string, schema: JsonSchema, text: string, broken: string[], strict: boolean, readers: ReturnType<typeof readers> }

const read: Record<string, (tool: any) => Omit<Tool, 'text' | 'readers'>> = {
  openai: tool => ({ name: tool.function.name, schema: tool.function.parameters, broken: brokenOpenai(tool), strict: tool.function.strict }),
  anthropic: tool => ({ name: tool.name, schema: tool.input_schema, broken: brokenAnthropic(tool), strict: false }),
  gemini: tool => ({ name: tool.name, schema: tool.parametersJsonSchema, broken: brokenGemini(tool), strict: false }),
  mcp: tool => ({ name: tool.name, schema: tool.inputSchema, broken: brokenMcp(tool), strict: false })
}
const forms = Object.keys(read)
const cases = Object.entries(dialectSchemas)
const names = cases.map(([name]) => name).sort()

const capabilities = cases.map(([name, { schema }]) => defineCapability<JsonSchema, JsonSchema>({
  name, description: `Takes ${name}.`, effect: 'read', evidence: 'none', input: schema, output: { type: 'null' }, handler: async () => null
}))
const hidden = defineCapability({ name: 'hidden_one', description: 'Nobody sees it.', effect: 'read', evidence: 'none', hidden: true, input: { type: 'object', properties: {} }, output: { type: 'null' }, handler: async () => null })

const { app } = await build(t, { capabilities: [...capabilities, hidden] })
const get = async (url: string): Promise<any> => (await app.inject(url)).json()

const list = await get('/api/capabilities')
const document = await get('/openapi.json')
const toolsOf = new Map<string, Map<string, Tool>>()
for (const form of forms) {
  const tools: any[] = await get(`/api/capabilities?format=${form}`)
  toolsOf.set(form, new Map(tools.map(tool => {
    const one = read[form]!(tool)
    return [one.name, { ...one, text: textsIn(tool).join('\n'), readers: readers(one.schema) }]
  })))
}

/** Every description in a tool, the tool's own too. */
function textsIn (value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => key === 'description' && typeof inner === 'string' ? [inner] : textsIn(inner))
}

/** Is the input one that a reader of either draft would write? */
function readers (schema: object): Array<(input: unknown) => boolean> {
  // Strict about keywords and formats that it does not know; a union of a nullable type it merely dislikes.
  return [new Ajv({ strictSchema: true, allowUnionTypes: true }), new Ajv2020({ strictSchema: true, allowUnionTypes: true })].map(ajv => {
    addFormats.default(ajv as never)
    return ajv.compile(schema)
  })
}

t.test('all forms have the same capabilities, and none of them a hidden one, which is called all the same', async t => {
  t.ok(cases.length >= 40, `${cases.length} schemas`)
  t.strictSame(list.map(({ name }: { name: string }) => name), names)
  t.strictSame(Object.values<any>(document.paths).map(({ post }) => post?.operationId).filter(id => id !== undefined && id !== 'hidden_one').filter(id => names.includes(id)).sort(), names)
  t.notMatch(JSON.stringify(document), /hidden_one/)
  for (const form of forms) t.strictSame([...toolsOf.get(form)!.keys()], names, form)
  t.equal((await call(app, 'hidden_one', {})).status, 200)
})

t.test('each form obeys what its vendor documents', async t => {
  for (const form of forms) for (const [name, { broken }] of toolsOf.get(form)!) t.strictSame(broken, [], `${form} ${name}`)
})

t.test('the checkers of these documents find what breaks them', async t => {
  const raw = new Map<string, JsonSchema>()
  for (const [name] of cases) raw.set(name, await get(`/api/capabilities/${name}/schema`))
  const check = (name: string) => {
    const schema = raw.get(name)!
    return [
      brokenOpenai({ type: 'function', function: { name, description: 'x', parameters: schema, strict: true } }),
      brokenAnthropic({ name, description: 'x', input_schema: schema }),
      brokenGemini({ name, description: 'x', parametersJsonSchema: schema }),
      brokenMcp({ name, description: 'x', inputSchema: schema })
    ]
  }
  for (const name of ['top_union', 'recursive', 'named_twice', 'tuple', 'contains', 'dependent', 'top_all_of', 'pattern_look_ahead', 'array_of_any']) {
    // An empty \`items\` is no fault but in strict mode.
    for (const [index, found] of check(name).entries()) t.equal(found.length > 0, name !== 'array_of_any' || index === 0, `${forms[index]} ${name} ${found}`)
  }
  for (const name of ['optional', 'record', 'open_object', 'depth_12', 'one_of_overlapping', 'formats']) t.not(check(name)[0]!.length, 0, name)
  for (const name of ['pattern', 'multiple_of', 'exclusive_bounds', 'boolean_literal', 'odd_names', 'formats']) t.not(check(name)[2]!.length, 0, name)
  for (const form of [1, 3]) t.not(check('odd_names')[form]!.length, 0, forms[form]!)
  t.not(brokenOpenai({ type: 'function', function: { name: 'a.b', description: 'x'.repeat(1025), parameters: { type: 'object', properties: {} }, strict: false } }).length, 0)
})

t.test('what the service takes, every reader of every form can write', async t => {
  for (const [name, { valid }] of cases) {
    for (const input of valid) {
      t.equal((await call(app, name, input)).status, 200, `${name} ${JSON.stringify(input)}`)
      for (const form of forms) {
        const { schema, strict, readers } = toolsOf.get(form)!.get(name)!
        // In strict mode what is left out elsewhere is sent as null.
        const whole = strict ? { ...Object.fromEntries((schema.required ?? []).map((field: string) => [field, null])), ...input as object } : input
        for (const reads of readers) t.ok(reads(whole), `${form} ${name} ${JSON.stringify(whole)}`)
      }
    }
  }
})

t.test('what the service refuses, every form refuses too, or says in words', async t => {
  for (const [name, { wrong }] of cases) {
    for (const [input, words] of wrong) {
      t.match(await call(app, name, input), { status: 400, body: { error: { category: 'INPUT_ERROR' } } }, `${name} ${JSON.stringify(input)}`)
      for (const form of forms) {
        const { text, readers } = toolsOf.get(form)!.get(name)!
        for (const reads of readers) t.ok(!reads(input) || words.test(text), `${form} ${name} ${JSON.stringify(input)} ${text}`)
      }
    }
  }
})

t.test('the schema, the descriptor and OpenAPI say exactly what the service enforces', async t => {
  for (const [name, { valid, wrong }] of cases) {
    const schema = await get(`/api/capabilities/${name}/schema`)
    const { input_schema: described } = await get(`/api/capabilities/${name}`)
    t.strictSame(described, schema, name)
    const { schema: body } = document.paths[`/api/capabilities/${name}`].post.requestBody.content['application/json']
    const ajv = new Ajv2020({ strict: false })
    addFormats.default(ajv as never)
    const reads = ajv.compile({ ...body, components: document.components })
    for (const input of valid) t.ok(reads(input), `${name} ${JSON.stringify(input)} ${JSON.stringify(reads.errors)}`)
    for (const [input] of wrong) t.notOk(reads(input), `${name} ${JSON.stringify(input)}`)
  }
})

t.test('all forms agree on the fields and on those that must be sent', async t => {
  for (const { name, input_summary: { required, optional } } of list) {
    const [must, may] = [required, optional].map((hints: Array<{ name: string }>) => hints.map(hint => hint.name)) as [string[], string[]]
    for (const form of forms) {
      const { schema, strict, text } = toolsOf.get(form)!.get(name)!
      const unsaid = [...must, ...may].filter(field => !Object.hasOwn(schema.properties, field))
      for (const field of unsaid) t.match(text, field, `${form} ${name} says ${field} in words`)
      t.strictSame(Object.keys(schema.properties).filter(field => ![...must, ...may].includes(field)), [], `${form} ${name}`)
      const owed: string[] = schema.required ?? []
      t.strictSame(must.filter(field => !owed.includes(field) && !unsaid.includes(field)), [], `${form} ${name}`)
      const extra = owed.filter(field => !must.includes(field))
      if (!strict) t.strictSame(extra, [], `${form} ${name}`)
      for (const field of extra) t.equal((await call(app, name, { ...dialectSchemas[name]!.valid[0] as object, [field]: null })).status, 200, `${name} ${field}`)
    }
  }
})

t.test('strict mode is claimed where it can be kept, and nowhere else', async t => {
  const strict = [...toolsOf.get('openai')!].filter(([, tool]) => tool.strict).map(([name]) => name)
  for (const name of ['empty_object', 'literal_union', 'nullable', 'optional_nullable', 'bounds', 'formats', 'pattern_look_ahead', 'depth_8', 'union_of_types', 'tuple']) t.ok(strict.includes(name), name)
  for (const name of ['optional', 'record', 'any', 'array_of_any', 'recursive', 'depth_12', 'top_union', 'union_of_objects', 'open_object', 'defaults']) t.notOk(strict.includes(name), name)
})
