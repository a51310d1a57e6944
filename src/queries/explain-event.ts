import { explainGrouping, type GroupingExplanation } from '#group/explain-grouping.ts'
import { isServerError } from '#lens/server-error/is-server-error.ts'
import type { StoredEvent as EventData } from '#protocol/event.ts'

type Grouped = { data: string; group_version: number; group_hash: string }
/** The event as maps that came later show it, and the hashes of its issue. */
type Today = { data: string; hashes: readonly string[] }

/** Why an event is in its group. Null where its JSON is not what this version can read. */
export function explainEvent({ data, group_version, group_hash }: Grouped, today?: Today): GroupingExplanation | null {
  try {
    // Digest gave every field that grouping reads its shape before the event was stored.
    const event = JSON.parse(data) as EventData
    const why = explainGrouping(event, group_version)
    const late = today === undefined || today.data === data ? null : explainLate(today, group_hash)
    if (late) return late
    return why && isServerError(event) && why.hash !== group_hash ? joined(why, group_hash) : why
  } catch {
    return null
  }
}

/** Once its map is there, an event belongs to the group of its written code, where that one is in the same issue. */
function explainLate({ data, hashes }: Today, groupHash: string): GroupingExplanation | null {
  const why = explainGrouping(JSON.parse(data) as EventData)
  if (why === null || why.hash === groupHash || !hashes.includes(why.hash)) return null
  return { ...why, summary: `A source map that arrived after this event shows its written code. ${why.summary}` }
}

/** A browser's error that stands for the server's has its group, not one of its own. */
const joined = (why: GroupingExplanation, hash: string): GroupingExplanation => ({
  ...why,
  hash,
  summary:
    'The browser only knows that the server failed. The server’s event of the same trace, or of the same digest, tells what, so the server’s group decides.',
  parts: [],
  ignored: [{ what: 'message and route', why: 'every such error of every page has the same' }],
})
