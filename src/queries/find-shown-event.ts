import { explainLens } from './explain-lens.ts'
import { recallEvent, type StoredEvent } from './find-event.ts'
import type { Issue } from './find-issue.ts'
import { findTwin } from './find-twin.ts'
import type { IssueEventFilter } from './issue-event-scope.ts'
import { type EventChoice, type PickedEvent, pickEvent } from './pick-event.ts'
import type { Viewer } from './viewer.ts'

/** `issue` is another one where the linked server error was reported to another project. */
export type ShownEvent = { event: StoredEvent; picked: PickedEvent; issue: Issue }

/**
 * The event that best shows an issue, for its page and for the API alike. A browser's redacted error has no stack of its own, so its
 * linked server error is shown instead; an event that is asked for by id, or by a filter, is shown as it is. The page of an issue
 * stays `within` the issue and draws a server error of another project beside the event.
 */
export async function findShownEvent(
  viewer: Viewer,
  issue: Issue,
  choice: EventChoice,
  { filter = {}, within }: { filter?: IssueEventFilter; within: 'issue' | 'organization' },
): Promise<ShownEvent | null> {
  const picked = await pickEvent(viewer, issue, choice, filter)
  const event = picked && (await recallEvent(viewer, issue, picked.eventId, picked.at))
  if (!picked || !event) return null
  const own = { event, picked, issue }
  if (choice.kind === 'id' || isNarrowed(filter) || explainLens(event.data)?.kind !== 'echo') return own
  const server = await findTwin(viewer, issue, { of: event, isOnServer: true })
  if (server === null || (within === 'issue' && server.issue.id !== issue.id)) return own
  const beside = await pickEvent(viewer, server.issue, { kind: 'id', eventId: server.event.event_id }, filter)
  return beside ? { event: server.event, picked: beside, issue: server.issue } : own
}

const isNarrowed = ({ from, to, environment, terms = [] }: IssueEventFilter): boolean =>
  from !== undefined || to !== undefined || Boolean(environment) || terms.length > 0
