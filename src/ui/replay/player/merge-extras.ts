import { clipText } from '#lib/text.ts'
import { formatBytes } from '../../format.ts'
import type { Extras } from './read-recording.ts'
import type { ReplayData, SyncRow } from './replay-data.ts'

const maxRows = 5_000

/** Adds what only the recording knows: the files that the page loaded, among its requests, and its memory. `base` is its start. */
export function mergeExtras(tabs: ReplayData['tabs'], { resources, memory }: Extras, base: number): ReplayData['tabs'] {
  const files = resources.slice(0, maxRows).map(
    ({ at, kind, url, ms, bytes, status }, index): SyncRow => ({
      id: `f${index}`,
      at: Math.max(0, at - base),
      icon: 'request',
      look: status >= 400 ? 'error' : 'plain',
      verb: kind,
      what: pathOf(url),
      note: [status > 0 ? `${status}` : '', bytes > 0 ? formatBytes(bytes) : '', `${ms} ms`]
        .filter(Boolean)
        .join(' · '),
    }),
  )
  const used = memory.slice(0, maxRows).map(
    ({ at, used: bytes, limit }, index): SyncRow => ({
      id: `b${index}`,
      at: Math.max(0, at - base),
      icon: 'memory',
      look: limit > 0 && bytes > 0.9 * limit ? 'warning' : 'plain',
      verb: formatBytes(bytes),
      what: '',
      note: limit > 0 ? `of ${formatBytes(limit)}` : '',
      amount: bytes,
    }),
  )
  const byTime = (rows: SyncRow[]): SyncRow[] => rows.sort((a, b) => a.at - b.at)
  return tabs.map(tab => {
    if (tab.id === 'network' && files.length > 0) return { ...tab, rows: byTime([...tab.rows, ...files]) }
    return tab.id === 'memory' && used.length > 0 ? { ...tab, rows: byTime(used) } : tab
  })
}

function pathOf(url: string): string {
  const parsed = URL.parse(url, 'http://page.invalid')
  return parsed === null || parsed.protocol === 'data:' ? clipText(url, 80) : `${parsed.pathname}${parsed.search}`
}
