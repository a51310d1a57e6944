/** Every component of `src/ui` is in the gallery, and each of its states is sound HTML. */
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { rooms } from './gallery/rooms.ts'
import { Stage } from './gallery/stage.tsx'
import { anchorOf } from './gallery/states.tsx'

const ui = join(import.meta.dirname, '../src/ui')
const shown = new Map<unknown, string>(
  rooms.flatMap(({ exhibits }) => exhibits.map(({ component, name }) => [component, name] as const)),
)
const states = rooms.flatMap(room =>
  room.exhibits.flatMap(exhibit =>
    Object.entries(exhibit.states).map(([name, state]) => [`${anchorOf(room, exhibit)}, ${name}`, state] as const),
  ),
)

describe('the gallery', () => {
  it('shows every component of src/ui by its name', { timeout: 60_000 }, async () => {
    const missing: string[] = []
    for (const path of globSync('**/*.tsx', { cwd: ui })) {
      const parts: Record<string, unknown> = await import(join(ui, path))
      for (const [name, part] of Object.entries(parts))
        if (isComponent(name, part) && shown.get(part) !== nameOf(name, part)) missing.push(`${path}: ${name}`)
    }
    expect(missing).toEqual([])
  })

  it('has an anchor of its own for each component', () => {
    const anchors = rooms.flatMap(room => room.exhibits.map(exhibit => anchorOf(room, exhibit)))
    expect(anchors.filter((anchor, index) => anchors.indexOf(anchor) !== index)).toEqual([])
  })

  it('has a state of each component', () => {
    const empty = rooms.flatMap(({ exhibits }) => exhibits.filter(each => Object.keys(each.states).length === 0))
    expect(empty.map(({ name }) => name)).toEqual([])
  })
})

describe('a state', () => {
  const complaints: string[] = []
  beforeAll(() => {
    vi.spyOn(console, 'error').mockImplementation((...words) => void complaints.push(words.join(' ')))
  })
  afterAll(() => vi.restoreAllMocks())

  it.each(states)('%s', (_, state) => {
    complaints.length = 0
    const html = renderToString(createElement(Stage, null, state))
    // React complains about missing keys, wrong nesting and unknown attributes.
    expect(complaints).toEqual([])
    expect(repeatedIds(html)).toEqual([])
    expect(danglingReferences(html)).toEqual([])
    expect(namelessButtons(html)).toEqual([])
  })
})

/** Components have capitals; what `memo` returns is an object. */
const isComponent = (name: string, part: unknown): boolean =>
  (/^[A-Z]/.test(name) || name === 'default') &&
  (typeof part === 'function' || (typeof part === 'object' && part !== null && '$$typeof' in part))

/** A default export has the name of its function. */
const nameOf = (name: string, part: unknown): string => (name === 'default' ? (part as { name: string }).name : name)

const idsOf = (html: string): string[] => [...html.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id)

function repeatedIds(html: string): string[] {
  const ids = idsOf(html)
  return ids.filter((id, index) => ids.indexOf(id) !== index)
}

function danglingReferences(html: string): string[] {
  const ids = new Set(idsOf(html))
  return [...html.matchAll(/ (?:for|popoverTarget|aria-(?:labelledby|describedby))="([^"]*)"/gi)]
    .flatMap(([, value = '']) => value.split(' '))
    .filter(id => !ids.has(id))
}

/** A name is text that is not hidden from readers, or an attribute. */
function namelessButtons(html: string): string[] {
  return [...html.matchAll(/<(button|a|summary)\b([^>]*)>([\s\S]*?)<\/\1>/g)]
    .filter(([, , attributes = '', content = '']) => {
      if (/ (?:hidden=|aria-label="[^"]+)/.test(attributes)) return false
      const text = content.replace(/<svg[\s\S]*?<\/svg>/g, svg => (svg.includes('aria-label="') ? 'drawn' : ''))
      return text.replace(/<[^>]*>/g, '').trim() === ''
    })
    .map(([tag]) => tag)
}
