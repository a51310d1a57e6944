import { type GroupKey, groupEvent } from '#group/group-event.ts'
import { isMinified } from '#group/v1/is-minified.ts'
import { findNoise } from '#lens/noise/find-noise.ts'
import { type Place, placeOf } from '#lens/place-of.ts'
import { digestOf } from '#lens/server-error/digest-of.ts'
import { isServerError } from '#lens/server-error/is-server-error.ts'
import { findSkew } from '#lens/skew/find-skew.ts'
import type { StoredEvent } from '#protocol/event.ts'
import type { EventRow } from '#store/telemetry/rows.ts'
import { type MinifiedFrame, minifiedFrames, sentFrames } from '#symbolicate/event/minified-frames.ts'
import { addRow } from '../add-row.ts'
import type { Notes } from '../notes.ts'
import type { RecordContext } from '../record-context.ts'
import type { Sighting } from '../yield.ts'
import { eventRow } from './event-row.ts'
import { userAgentOf } from './user-agent-of.ts'

/** Groups a clean event, and adds its row and its sighting. */
export function addEvent(event: StoredEvent, kind: string, notes: Notes, context: RecordContext): void {
  if (!notes.isEmpty) event._hydrant = notes.toJson()
  const grouping = groupEvent(event)
  const row = eventRow(event, grouping, kind, context)
  addRow(context.out, 'events', row)
  const sighting = {
    ...sightingOf(row, grouping.fallbacks, placeOf(event)),
    noise: findNoise(event, userAgentOf(event, context)),
    isSkew: findSkew(event) !== null,
    echo: isServerError(event) ? { digest: digestOf(event) } : null,
  }
  context.out.sightings.push(sighting)
  const frames = minifiedFrames(event, context.projectId)
  if (frames.length > 0)
    context.out.stacks.push({ row, sighting, frames, deciding: frames.filter(frame => isDeciding(event, frame)) })
}

/** A frame of what was thrown, not of its causes, with names of the build's. */
function isDeciding(event: StoredEvent, { exception, index }: MinifiedFrame): boolean {
  const values = event.exception?.values ?? []
  const value = values[exception]
  const frame = value && exception === values.length - 1 ? sentFrames(value)[index] : undefined
  return frame !== undefined && isMinified(frame)
}

function sightingOf(
  row: EventRow,
  groupFallbacks: GroupKey[],
  place: Place,
): Omit<Sighting, 'noise' | 'isSkew' | 'echo'> {
  return {
    projectId: row.project_id,
    groupVersion: row.group_version,
    groupHash: row.group_hash,
    groupFallbacks,
    eventId: row.event_id,
    timestamp: row.timestamp,
    title: row.title,
    culprit: row.culprit,
    kind: row.kind,
    level: row.level,
    place,
    release: row.release,
    userHash: row.user_hash,
    weight: row.weight,
  }
}
