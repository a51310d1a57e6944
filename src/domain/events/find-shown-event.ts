import type { Viewer } from '#domain/access/viewer.ts'
import type { Issue } from '#domain/issues/find-issue.ts'
import type { IssueEventFilter } from './event-scope.ts'
import { explainReact } from './explain-event.ts'
import { findBestEvent, findCachedEvent, type StoredEvent } from './find-event.ts'
import { findLinkedEvent } from './find-linked-event.ts'
import { newestEvents, readNewestEvents } from './newest-events.ts'
import { type EventChoice, type PickedEvent, pickEvent, pickOldest } from './pick-event.ts'
import { type EventPlace, findRecommended } from './recommended-event.ts'

/**
 * Its neighbors may come later: a page renders the event meanwhile. `issue` is another one if the linked server error was reported to
 * another project.
 */
type ShownEvent = { event: StoredEvent; picked: Promise<PickedEvent>; issue: Issue }

type Found = {
  filter: IssueEventFilter
  within: 'issue' | 'organization'
  /** Called as soon as it is known which event is shown, which may be before it is read. */
  onPlace: (place: EventPlace) => void
  /** The recommended event as digest has kept it, if the caller has looked it up already. */
  kept: EventPlace | null | undefined
}
type Options = Pick<Found, 'within'> & { [Name in 'filter' | 'onPlace' | 'kept']?: Found[Name] | undefined }

/**
 * The event to show for an issue, on its page and in the API. A redacted browser error has no useful stack, so its linked server error
 * is shown instead, unless the event was chosen by id or filter. The issue page stays `within` the issue and shows a server error of
 * another project beside the event.
 */
export async function findShownEvent(
  viewer: Viewer,
  issue: Issue,
  choice: EventChoice,
  { filter = {}, within, kept, onPlace = () => undefined }: Options,
): Promise<ShownEvent | null> {
  const shown = await findChosen(viewer, issue, choice, { filter, within, kept, onPlace })
  if (shown) onPlace(shown.event)
  return shown
}

async function findChosen(
  viewer: Viewer,
  issue: Issue,
  choice: EventChoice,
  { filter, within, kept, onPlace }: Found,
): Promise<ShownEvent | null> {
  const chosen = await readChosen(viewer, issue, choice, { filter, kept, onPlace })
  if (chosen === null) return null
  const { event } = chosen
  if (choice.kind === 'id' || isNarrowed(filter) || explainReact(event.data)?.kind !== 'server-error')
    return { ...chosen, issue }
  const server = await findLinkedEvent(viewer, issue, { of: event, isOnServer: true, filter })
  if (server === null || (within === 'issue' && server.issue.id !== issue.id)) return { ...chosen, issue }
  const picked = pickEvent(viewer, server.issue, server.event.event_id, filter)
  return { ...withNeighbors(server.event, picked), issue: server.issue }
}

type Chosen = { event: StoredEvent; picked: Promise<PickedEvent> }

/** An event that was deleted meanwhile has none. */
function withNeighbors(event: StoredEvent, finding: Promise<PickedEvent | null>): Chosen {
  const picked = finding.then(
    found => found ?? { eventId: event.event_id, at: event.timestamp, older: null, newer: null },
  )
  picked.catch(() => undefined) // the part of the page that shows them handles it
  return { event, picked }
}

type Reading = Pick<Found, 'filter' | 'onPlace' | 'kept'>

async function readChosen(
  viewer: Viewer,
  issue: Issue,
  choice: EventChoice,
  { filter, onPlace, kept: known }: Reading,
): Promise<Chosen | null> {
  switch (choice.kind) {
    case 'id':
      return readNamed(viewer, issue, { event_id: choice.eventId }, filter)
    case 'latest':
      return readBest(viewer, issue, 'newest', filter)
    case 'oldest':
      return readBest(viewer, issue, 'oldest', filter)
    case 'recommended': {
      const kept = known === undefined ? await findRecommended(viewer, issue, filter) : known
      if (kept) onPlace(kept)
      // It may be gone.
      return (kept && (await readNamed(viewer, issue, kept, filter))) ?? readBest(viewer, issue, 'rank', filter)
    }
  }
}

/** The event is asked for before its neighbors, which are usually among the newest events. */
async function readNamed(
  viewer: Viewer,
  issue: Issue,
  { event_id: id, timestamp: at }: Pick<EventPlace, 'event_id'> & Partial<EventPlace>,
  filter: IssueEventFilter,
): Promise<Chosen | null> {
  const finding = findCachedEvent(viewer, issue, id, at)
  const picked = pickEvent(viewer, issue, id, filter)
  picked.catch(() => undefined)
  const event = await finding
  return event && withNeighbors(event, picked)
}

/** The event that comes first in an order, then the newest, among which its neighbors usually are. */
async function readBest(
  viewer: Viewer,
  issue: Issue,
  by: 'newest' | 'oldest' | 'rank',
  filter: IssueEventFilter,
): Promise<Chosen | null> {
  const isFar = by === 'oldest' && issue.eventCount > newestEvents
  const finding = findBestEvent(viewer, issue, { by, filter })
  const newest = readNewestEvents(viewer, issue, filter)
  newest.catch(() => undefined)
  const event = await finding
  if (event === null) return null
  const pick = async () => {
    await newest // more of the page waits for those
    const oldest = isFar ? await pickOldest(viewer, issue, filter) : null
    return oldest?.eventId === event.event_id ? oldest : pickEvent(viewer, issue, event.event_id, filter)
  }
  return withNeighbors(event, pick())
}

const isNarrowed = ({ from, to, environment, terms = [] }: IssueEventFilter): boolean =>
  from !== undefined || to !== undefined || Boolean(environment) || terms.length > 0
