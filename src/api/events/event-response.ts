import type { Viewer } from '#domain/access/viewer.ts'
import { findShownEvent } from '#domain/events/find-shown-event.ts'
import type { EventChoice } from '#domain/events/pick-event.ts'
import { readStacks } from '#domain/events/stacks/read-stacks.ts'
import type { Issue } from '#domain/issues/find-issue.ts'
import { findEventReplay } from '#domain/replays/find-event-replay.ts'
import { attempt } from '#web/attempt.ts'
import { getSymbolicator } from '#web/get-symbolicator.ts'
import { apiNotFound } from '../api-error.ts'
import { serializeEvent } from './serialize-event.ts'

export async function eventResponse(viewer: Viewer, issue: Issue, name: string): Promise<Response> {
  const event = await serializeNamedEvent(viewer, issue, name)
  return event ? Response.json(event) : apiNotFound()
}

/** One event of an issue: `latest`, `oldest`, `recommended`, or an event id. */
export async function serializeNamedEvent(viewer: Viewer, issue: Issue, name: string) {
  const choice = readChoice(name)
  const shown = choice && (await findShownEvent(viewer, issue, choice, { within: 'organization' }))
  if (!shown) return null
  // As in the UI: with the current source maps, or the stored stack if they can't be read.
  const stored = { projectId: shown.issue.projectId, data: shown.event.data }
  const read = await attempt('stacks', readStacks(viewer, getSymbolicator(), stored))
  const mapped = read.ok ? { ...shown.event, data: read.value.data } : shown.event
  const serialized = serializeEvent(mapped, shown.issue, await shown.picked)
  const replay = await attempt('replay of an event', findEventReplay(viewer, shown.event))
  if (!replay.ok || replay.value === null || replay.value === 'missing') return serialized
  // Tools print contexts as they are: an agent reads what the user did beside the stack.
  const context = { type: 'replay', replay_id: replay.value.replay.replayId, what_the_user_did: replay.value.lines }
  return { ...serialized, contexts: { ...serialized.contexts, replay: context } }
}

function readChoice(name: string): EventChoice | null {
  if (name === 'latest' || name === 'oldest' || name === 'recommended') return { kind: name }
  const eventId = name.replaceAll('-', '').toLowerCase()
  return /^[0-9a-f]{32}$/.test(eventId) ? { kind: 'id', eventId } : null
}
