import { findEvent } from '#queries/find-event.ts'
import { findEventNeighbours } from '#queries/find-event-neighbours.ts'
import type { Issue } from '#queries/find-issue.ts'
import { type EventChoice, pickEvent } from '#queries/pick-event.ts'
import type { Viewer } from '#queries/viewer.ts'
import { apiNotFound } from '../api-error.ts'
import { describeEvent } from './describe-event.ts'

/** One event of an issue: `latest`, `oldest`, `recommended`, or by its id. */
export async function answerEvent(viewer: Viewer, issue: Issue, name: string): Promise<Response> {
  const choice = readChoice(name)
  const picked = choice && (await pickEvent(viewer, issue, choice, {}))
  const event = picked && (await findEvent(viewer, issue, picked.eventId))
  if (!picked || !event) return apiNotFound()
  const neighbours = await findEventNeighbours(viewer, issue, picked, {})
  return Response.json(describeEvent(event, issue, neighbours), { headers: { 'Cache-Control': 'no-store' } })
}

function readChoice(name: string): EventChoice | null {
  if (name === 'latest' || name === 'oldest' || name === 'recommended') return { kind: name }
  const eventId = name.replaceAll('-', '').toLowerCase()
  return /^[0-9a-f]{32}$/.test(eventId) ? { kind: 'id', eventId } : null
}
