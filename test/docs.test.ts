/** Links in the documentation lead somewhere, docs/settings.md has every setting, and docs/issues.md every key. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { channelKinds } from '#domain/channels/kinds/list.ts'
import { shortcutLabel } from '#ui/commands/command.ts'
import { keys } from '#ui/commands/keys.ts'

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
