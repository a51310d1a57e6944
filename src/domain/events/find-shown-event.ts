import type { Viewer } from '#domain/access/viewer.ts'
import type { Issue } from '#domain/issues/find-issue.ts'
import type { IssueEventFilter } from './event-scope.ts'
import { explainReact } from './explain-event.ts'
import { findBestEvent, findCachedEvent, type StoredEvent } from './find-event.ts'
import { findLinkedEvent } from './find-linked-event.ts'
import { readNewestEvents } from './newest-events.ts'
import { type EventChoice, type PickedEvent, pickEvent } from './pick-event.ts'
import { type EventPlace, findRecommended } from './recommended-event.ts'

/** `issue` is another one if the linked server error was reported to another project. */
type ShownEvent = { event: StoredEvent; picked: PickedEvent; issue: Issue }

type Found = {
  filter: IssueEventFilter
  within: 'issue' | 'organization'
  /** Called as soon as it is known which event is shown, which may be before it is read. */
  onPlace: (place: EventPlace) => void
}
type Options = Pick<Found, 'within'> & { [Name in 'filter' | 'onPlace']?: Found[Name] | undefined }

/**
 * The event to show for an issue, on its page and in the API. A redacted browser error has no useful stack, so its linked server error
 * is shown instead, unless the event was chosen by id or filter. The issue page stays `within` the issue and shows a server error of
 * another project beside the event.
 */
export async function findShownEvent(
  viewer: Viewer,
  issue: Issue,
  choice: EventChoice,
  { filter = {}, within, onPlace = () => undefined }: Options,
): Promise<ShownEvent | null> {
  const shown = await findChosen(viewer, issue, choice, { filter, within, onPlace })
  if (shown) onPlace(shown.event)
  return shown
}

async function findChosen(
  viewer: Viewer,
  issue: Issue,
  choice: EventChoice,
  { filter, within, onPlace }: Found,
): Promise<ShownEvent | null> {
  const chosen =
    choice.kind === 'recommended'
      ? ((await readKept(viewer, issue, { filter, onPlace })) ?? (await readBest(viewer, issue, filter)))
      : await readPicked(viewer, issue, choice, filter)
  if (chosen === null) return null
  const { event } = chosen
  if (choice.kind === 'id' || isNarrowed(filter) || explainReact(event.data)?.kind !== 'server-error')
    return { ...chosen, issue }
  const server = await findLinkedEvent(viewer, issue, { of: event, isOnServer: true, filter })
  if (server === null || (within === 'issue' && server.issue.id !== issue.id)) return { ...chosen, issue }
  const linkedPick = await pickEvent(viewer, server.issue, { kind: 'id', eventId: server.event.event_id }, filter)
  return linkedPick ? { event: server.event, picked: linkedPick, issue: server.issue } : { ...chosen, issue }
}

type Chosen = { event: StoredEvent; picked: PickedEvent }

/** The recommended event as digest has kept it, unless it is gone. */
async function readKept(
  viewer: Viewer,
  issue: Issue,
  { filter, onPlace }: Pick<Found, 'filter' | 'onPlace'>,
): Promise<Chosen | null> {
  const kept = await findRecommended(viewer, issue, filter)
  if (kept === null) return null
  onPlace(kept)
  const [event, picked] = await Promise.all([
    findCachedEvent(viewer, issue, kept.event_id, kept.timestamp),
    pickEvent(viewer, issue, { kind: 'id', eventId: kept.event_id }, filter),
  ])
  return event && picked ? { event, picked } : null
}

/** The recommended event by a query. */
async function readBest(viewer: Viewer, issue: Issue, filter: IssueEventFilter): Promise<Chosen | null> {
  const [event] = await Promise.all([
    findBestEvent(viewer, issue, { by: 'rank', filter }),
    readNewestEvents(viewer, issue, filter), // its neighbors are there: both are one statement
  ])
  const picked = event && (await pickEvent(viewer, issue, { kind: 'id', eventId: event.event_id }, filter))
  return event && picked ? { event, picked } : null
}

type PickedChoice = Parameters<typeof pickEvent>[2]

async function readPicked(
  viewer: Viewer,
  issue: Issue,
  choice: PickedChoice,
  filter: IssueEventFilter,
): Promise<Chosen | null> {
  const [picked, ahead] = await Promise.all([
    pickEvent(viewer, issue, choice, filter),
    readAhead(viewer, issue, choice, filter).catch(() => null),
  ])
  if (picked === null) return null
  const event =
    ahead?.event_id === picked.eventId ? ahead : await findCachedEvent(viewer, issue, picked.eventId, picked.at)
  return event && { event, picked }
}

/** The event that will be picked, read while it is picked: both are then one statement. */
async function readAhead(
  viewer: Viewer,
  issue: Issue,
  choice: PickedChoice,
  filter: IssueEventFilter,
): Promise<StoredEvent | null> {
  if (choice.kind === 'oldest') return null
  if (choice.kind === 'id') return findCachedEvent(viewer, issue, choice.eventId)
  return findBestEvent(viewer, issue, { by: 'time', filter })
}

const isNarrowed = ({ from, to, environment, terms = [] }: IssueEventFilter): boolean =>
  from !== undefined || to !== undefined || Boolean(environment) || terms.length > 0
