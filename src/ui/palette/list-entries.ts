import { clipText } from '#lib/text.ts'
import type { Command } from '../commands/command.ts'
import type { PaletteEntry, PaletteLink } from './palette-entry.ts'

/** The given commands of the page, then recent items and pages, then the commands that every page has. */
export function listEntries(
  commands: readonly Command[],
  links: readonly PaletteLink[],
  recent: readonly PaletteLink[] = [],
): PaletteEntry[] {
  const listed = commands.filter(command => command.kind !== 'move')
  const newest = listed.filter((command, index) => index === listed.findLastIndex(({ id }) => id === command.id))
  const pages = new Set(links.map(({ href }) => href))
  return [
    ...newest.filter(({ kind }) => kind !== 'app').map(command => commandEntry(command, 'This page')),
    ...recent
      .filter(({ href }) => !pages.has(href))
      .map((link): PaletteEntry => ({ ...link, id: `recent-${link.href}`, group: 'Recent' })),
    ...links.map((link): PaletteEntry => ({ ...link, group: 'Go to' })),
    ...newest.filter(({ kind }) => kind === 'app').map(command => commandEntry(command, 'Action')),
  ]
}

const commandEntry = ({ id, label, note, shortcut, run }: Command, group: PaletteEntry['group']): PaletteEntry => ({
  id: `command-${id}`,
  group,
  label,
  note,
  shortcut,
  run,
})

const maxShown = 12
const maxPageCommands = 4
const maxRecent = 4

/**
 * The entries that contain every typed word. Entries that start with the text come first. A short id such as WEB-42 adds the issue,
 * and any text adds a search.
 */
export function matchEntries(entries: PaletteEntry[], text: string, base: string): PaletteEntry[] {
  const typed = text.trim()
  if (typed === '') return initialEntries(entries)
  const words = typed.toLowerCase().split(/\s+/)
  const found = entries.filter(entry => words.every(word => wordsOf(entry).includes(word)))
  const isFirst = (entry: PaletteEntry) => entry.label.toLowerCase().startsWith(typed.toLowerCase())
  const sorted = [...found.filter(isFirst), ...found.filter(entry => !isFirst(entry))]
  return [...issueById(typed, base), ...sorted.slice(0, maxShown), searchFor(typed, base)]
}

/** Before anything is typed: a few commands of the page and recent items, then everything else. */
function initialEntries(entries: PaletteEntry[]): PaletteEntry[] {
  const of = (group: PaletteEntry['group'], most: number) =>
    entries.filter(entry => entry.group === group).slice(0, most)
  const rest = entries.filter(({ group }) => group !== 'This page' && group !== 'Recent')
  return [...of('This page', maxPageCommands), ...of('Recent', maxRecent), ...rest].slice(0, maxShown + maxRecent)
}

const wordsOf = ({ label, note = '' }: PaletteEntry) => `${label} ${note}`.toLowerCase()

function issueById(typed: string, base: string): PaletteEntry[] {
  if (!/^(?:[a-z0-9-]+-)?\d{1,9}$/i.test(typed)) return []
  return [{ id: 'issue', group: 'Go to', label: `Issue ${typed.toUpperCase()}`, href: `${base}/issues/${typed}` }]
}

function searchFor(typed: string, base: string): PaletteEntry {
  const href = `${base}/issues?q=${encodeURIComponent(typed)}`
  return { id: 'search', group: 'Go to', label: `Search issues for “${clipText(typed, 60)}”`, href }
}
