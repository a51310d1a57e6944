import { findEvent } from '#queries/find-event.ts'
import type { Issue } from '#queries/find-issue.ts'
import { readStacks } from '#queries/maps/read-stacks.ts'
import { type EventChoice, pickEvent } from '#queries/pick-event.ts'
import type { Viewer } from '#queries/viewer.ts'
import { attempt } from '../../attempt.ts'
import { getSymbolicator } from '../../get-symbolicator.ts'
import { apiNotFound } from '../api-error.ts'
import { describeEvent } from './describe-event.ts'

export async function answerEvent(viewer: Viewer, issue: Issue, name: string): Promise<Response> {
  const event = await describeNamedEvent(viewer, issue, name)
  return event ? Response.json(event) : apiNotFound()
}

/** One event of an issue: `latest`, `oldest`, `recommended`, or by its id. */
export async function describeNamedEvent(viewer: Viewer, issue: Issue, name: string) {
  const choice = readChoice(name)
  const picked = choice && (await pickEvent(viewer, issue, choice, {}))
  const event = picked && (await findEvent(viewer, issue, picked.eventId, picked.at))
  if (!picked || !event) return null
  // As on its page: with the maps of today, and as it was stored where they cannot be had.
  const stored = { projectId: issue.projectId, data: event.data }
  const read = await attempt('stacks', readStacks(viewer, getSymbolicator(), stored))
  const mapped = read.ok ? { ...event, data: read.value.data } : event
  return describeEvent(mapped, issue, picked)
}

function readChoice(name: string): EventChoice | null {
  if (name === 'latest' || name === 'oldest' || name === 'recommended') return { kind: name }
  const eventId = name.replaceAll('-', '').toLowerCase()
  return /^[0-9a-f]{32}$/.test(eventId) ? { kind: 'id', eventId } : null
}
