/** Which maps would have changed the hash of an event. */
import type { FrameFate } from '#symbolicate/event/symbolicate-events.ts'
import type { StackYield, UnmappedSighting } from '../yield.ts'

/** Frames nearest to the throw: those that decide. */
const maxFrames = 5

export function unmappedOf({ row, deciding }: StackYield, fates: readonly FrameFate[]): UnmappedSighting[] {
  const missing = fates.filter(({ frame, found }) => found?.answer.kind !== 'mapped' && deciding.includes(frame))
  const builds = missing
    .slice(-maxFrames)
    .map(({ frame: { wanted } }) =>
      wanted.debugId === '' ? { debugId: '', release: wanted.release, dist: wanted.dist } : noBuild(wanted.debugId),
    )
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
