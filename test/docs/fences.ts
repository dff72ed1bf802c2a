import { readdir, readFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import t from 'tap'

const root = resolve(import.meta.dirname, '../..')
const pages = ['README.md', ...(await readdir(join(root, 'docs'), { recursive: true })).filter(name => name.endsWith('.md')).map(name => `docs/${name}`)]

t.test('every TypeScript fence is quoted from a file that is compiled', async t => {
  let fences = 0
  for (const page of pages) {
    const text = await readFile(join(root, page), 'utf8')
    for (const [, file, code] of text.matchAll(/(?:<!-- (\S+) -->\n)?^```ts\n(.*?)^```$/gms)) {
      fences++
      t.ok(file, `${page}: a fence names its file`)
      if (file !== undefined) t.ok((await readFile(join(root, file), 'utf8')).includes(code!), `${page}: the fence stands in ${file}`)
    }
  }
  t.ok(fences >= 5)
})

t.test('every link leads somewhere', async t => {
  for (const page of pages) {
    const text = await readFile(join(root, page), 'utf8')
    for (const [, link] of text.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)) {
      if (!link!.startsWith('http')) t.ok(existsSync(join(root, dirname(page), link!)), `${page}: ${link}`)
    }
  }
})
