/** Links in the documentation lead somewhere, and what it lists or shows is what the code has. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { channelKinds } from '#domain/channels/kinds/list.ts'
import { shortcutLabel } from '#ui/commands/command.ts'
import { keys } from '#ui/commands/keys.ts'
import { listSnippets } from '#ui/snippets/list-snippets.ts'
import { docsConnection } from './docs-connection.ts'
import { frameworks, matrix, writeMatrix } from './framework-matrix.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const pages = globSync(['*.md', 'docs/**/*.md', 'examples/*/README.md'], { cwd: root })

/** The anchors that GitHub gives to the headings of a page. */
const anchorsOf = (path: string) =>
  [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

it('every relative link of the documentation resolves', () => {
  const broken = pages.flatMap(page =>
    [...read(page).matchAll(/\]\((?!https?:)([^)\s#]*)(?:#([^)\s]+))?\)/g)].flatMap(([, path = '', anchor]) => {
      const target = path === '' ? page : join(dirname(page), path)
      const isFound = existsSync(join(root, target)) && (anchor === undefined || anchorsOf(target).includes(anchor))
      return isFound ? [] : [`${page} links to ${path}${anchor === undefined ? '' : `#${anchor}`}`]
    }),
  )
  expect(broken).toEqual([])
})

it('every npm script that the documentation names installs first what it needs', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const named = pages.flatMap(page =>
    [...read(page).matchAll(/\bnpm run ([a-z][a-z:]*)/g)].map(([, name = '']) => name),
  )
  const bare = [...new Set(named)].filter(name => name in scripts && !/^(?:exec )?node bin\//.test(scripts[name] ?? ''))
  expect(bare).toEqual([])
})

it('docs/settings.md lists every variable of config.ts and no other', () => {
  const known = [...read('src/config.ts').matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(([, name]) => name)
  const listed = [...read('docs/settings.md').matchAll(/^\| `([A-Z][A-Z_]+)` \|/gm)].map(([, name]) => name)
  expect(listed.sort()).toEqual(known.sort())
})

it('docs/channels.md lists the settings of every kind of channel', () => {
  const wanted = channelKinds.flatMap(kind => {
    const parsed = kind.parse({})
    const required = new Set(parsed.ok ? [] : Object.keys(parsed.faults))
    return kind.fields.map(({ name, label, isOptional = false, choices = [] }) => {
      const values = choices.map(({ value }) => `\`${value}\``).join(', ')
      return `| \`${kind.id}\` | \`${name}\` | ${required.has(name) && !isOptional ? 'yes' : ''} | ${label}${values && `: ${values}`} |`
    })
  })
  expect(read('docs/channels.md').match(/^\| `[a-z-]+` \| `.*$/gm)).toEqual(wanted)
})

it('docs/issues.md lists every key of the table, and what it does', () => {
  const rows = Map.groupBy(Object.values(keys), ({ help }) => help)
  const wanted = [...rows].map(([help, own]) => {
    const pressed = own.map(({ shortcut }) => `<kbd>${shortcutLabel(shortcut, false)}</kbd>`)
    return `| ${pressed.join(' ')} | ${help} |`
  })
  expect(read('docs/issues.md').match(/^\| <kbd>.*$/gm)).toEqual(wanted)
})

describe('docs/frameworks.md', () => {
  it('has the table of test/framework-matrix.ts', () => {
    expect(read('docs/frameworks.md')).toContain(`${writeMatrix()}\n`)
  })

  it('names tests that exist', () => {
    const missing = matrix.flatMap(({ capability, cells }) =>
      frameworks.flatMap(name => {
        const cell = cells[name]
        if (typeof cell === 'string') return []
        return read(cell.proof.file).includes(cell.proof.test) ? [] : [`${capability}, ${name}: ${cell.proof.test}`]
      }),
    )
    expect(missing).toEqual([])
  })
})

it.each(listSnippets(docsConnection).filter(({ id }) => existsSync(join(root, `docs/${id}.md`)) && id !== 'nextjs'))(
  'docs/$id.md shows the files of the project page, each once',
  ({ id, snippets }) => {
    const fences = [...read(`docs/${id}.md`).matchAll(/^```(?:tsx?|js)\n([\s\S]*?)\n```$/gm)].map(([, code]) => code)
    expect(fences).toEqual(snippets.map(({ code }) => code))
  },
)
