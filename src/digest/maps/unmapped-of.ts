/** Which maps would have changed the hash of an event. */
import { isMinified } from '#group/v1/is-minified.ts'
import type { FrameFate } from '#symbolicate/event/symbolicate-events.ts'
import type { StackYield, UnmappedSighting } from '../yield.ts'

/** Frames nearest to the throw: those that decide. */
const maxFrames = 5

export function unmappedOf({ event, row }: StackYield, fates: readonly FrameFate[]): UnmappedSighting[] {
  const thrown = event.exception?.values.at(-1)
  const missing = fates.filter(
    ({ frame, found }) => frame.exception === thrown && found?.answer.kind !== 'mapped' && isMinified(frame.frame),
  )
  const { release = '', dist = '' } = event
  const builds = missing
    .slice(-maxFrames)
    .map(({ frame }) => (frame.wanted.debugId === '' ? { debugId: '', release, dist } : noBuild(frame.wanted.debugId)))
  const distinct = new Map(builds.map(build => [JSON.stringify(build), build]))
  return [...distinct.values()].map(build => ({
    projectId: row.project_id,
    groupVersion: row.group_version,
    groupHash: row.group_hash,
    eventId: row.event_id,
    ...build,
  }))
}

const noBuild = (debugId: string) => ({ debugId, release: '', dist: '' })
