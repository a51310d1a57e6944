import type { PaletteEntry } from './palette-entry.ts'

const maxShown = 12
const maxHere = 4

/**
 * The entries whose words hold every typed word, in the order in which they are given; what begins with the text comes first.
 * An id such as WEB-42 and any other text lead to the issue and to a search, whether or not something else matches.
 */
export function matchEntries(entries: PaletteEntry[], text: string, base: string): PaletteEntry[] {
  const typed = text.trim()
  if (typed === '') return atFirst(entries)
  const words = typed.toLowerCase().split(/\s+/)
  const found = entries.filter(entry => words.every(word => wordsOf(entry).includes(word)))
  const isFirst = (entry: PaletteEntry) => entry.label.toLowerCase().startsWith(typed.toLowerCase())
  const sorted = [...found.filter(isFirst), ...found.filter(entry => !isFirst(entry))]
  return [...issueById(typed, base), ...sorted.slice(0, maxShown), searchFor(typed, base)]
}

/** Before anything is typed: what is here, but not so much of it that the way elsewhere is hidden. */
function atFirst(entries: PaletteEntry[]): PaletteEntry[] {
  const here = entries.filter(({ group }) => group === 'Here').slice(0, maxHere)
  return [...here, ...entries.filter(({ group }) => group !== 'Here')].slice(0, maxShown)
}

const wordsOf = ({ label, note = '' }: PaletteEntry) => `${label} ${note}`.toLowerCase()

function issueById(typed: string, base: string): PaletteEntry[] {
  if (!/^(?:[a-z0-9-]+-)?\d{1,9}$/i.test(typed)) return []
  return [{ id: 'issue', group: 'Go to', label: `Issue ${typed.toUpperCase()}`, href: `${base}/issues/${typed}` }]
}

function searchFor(typed: string, base: string): PaletteEntry {
  const href = `${base}/issues?q=${encodeURIComponent(typed)}`
  return { id: 'search', group: 'Go to', label: `Search issues for “${typed.slice(0, 60)}”`, href }
}
