import type { Viewer } from '#domain/access/viewer.ts'
import type { Issue } from '#domain/issues/find-issue.ts'
import type { IssueEventFilter } from './event-scope.ts'
import { explainReact } from './explain-event.ts'
import { findBestEvent, findCachedEvent, type StoredEvent } from './find-event.ts'
import { findLinkedEvent } from './find-linked-event.ts'
import { newestEvents, readNewestEvents } from './newest-events.ts'
import { type EventChoice, type PickedEvent, pickEvent, pickOldest } from './pick-event.ts'
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
  const chosen = await readChosen(viewer, issue, choice, { filter, onPlace })
  if (chosen === null) return null
  const { event } = chosen
  if (choice.kind === 'id' || isNarrowed(filter) || explainReact(event.data)?.kind !== 'server-error')
    return { ...chosen, issue }
  const server = await findLinkedEvent(viewer, issue, { of: event, isOnServer: true, filter })
  if (server === null || (within === 'issue' && server.issue.id !== issue.id)) return { ...chosen, issue }
  const linkedPick = await pickEvent(viewer, server.issue, server.event.event_id, filter)
  return linkedPick ? { event: server.event, picked: linkedPick, issue: server.issue } : { ...chosen, issue }
}

type Chosen = { event: StoredEvent; picked: PickedEvent }
type Reading = Pick<Found, 'filter' | 'onPlace'>

async function readChosen(
  viewer: Viewer,
  issue: Issue,
  choice: EventChoice,
  { filter, onPlace }: Reading,
): Promise<Chosen | null> {
  switch (choice.kind) {
    case 'id':
      return readNamed(viewer, issue, { event_id: choice.eventId }, filter)
    case 'latest':
      return readBest(viewer, issue, 'newest', filter)
    case 'oldest':
      return readBest(viewer, issue, 'oldest', filter)
    case 'recommended': {
      const kept = await findRecommended(viewer, issue, filter)
      if (kept) onPlace(kept)
      // It may be gone.
      return (kept && (await readNamed(viewer, issue, kept, filter))) ?? readBest(viewer, issue, 'rank', filter)
    }
  }
}

/** An event with its neighbors, both in one statement. */
async function readNamed(
  viewer: Viewer,
  issue: Issue,
  { event_id: id, timestamp: at }: Pick<EventPlace, 'event_id'> & Partial<EventPlace>,
  filter: IssueEventFilter,
): Promise<Chosen | null> {
  const [event, picked] = await Promise.all([
    findCachedEvent(viewer, issue, id, at),
    pickEvent(viewer, issue, id, filter),
  ])
  return event && picked ? { event, picked } : null
}

/** The event that comes first in an order, read together with the newest, among which its neighbors usually are. */
async function readBest(
  viewer: Viewer,
  issue: Issue,
  by: 'newest' | 'oldest' | 'rank',
  filter: IssueEventFilter,
): Promise<Chosen | null> {
  const isFar = by === 'oldest' && issue.eventCount > newestEvents
  const [event, oldest] = await Promise.all([
    findBestEvent(viewer, issue, { by, filter }),
    isFar ? pickOldest(viewer, issue, filter) : null,
    readNewestEvents(viewer, issue, filter),
  ])
  if (event && event.event_id === oldest?.eventId) return { event, picked: oldest }
  const picked = event && (await pickEvent(viewer, issue, event.event_id, filter))
  return event && picked ? { event, picked } : null
}

const isNarrowed = ({ from, to, environment, terms = [] }: IssueEventFilter): boolean =>
  from !== undefined || to !== undefined || Boolean(environment) || terms.length > 0
