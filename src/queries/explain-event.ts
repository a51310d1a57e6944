import { explainGrouping, type GroupingExplanation } from '#group/explain-grouping.ts'
import type { StoredEvent as EventData } from '#protocol/event.ts'

/** Why an event is in its issue. Null where its JSON is not what this version can read. */
export function explainEvent(data: string, groupVersion: number): GroupingExplanation | null {
  try {
    // Digest gave every field that grouping reads its shape before the event was stored.
    return explainGrouping(JSON.parse(data) as EventData, groupVersion)
  } catch {
    return null
  }
}
