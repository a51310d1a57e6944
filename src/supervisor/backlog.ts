/** How many records wait in the inbox, and for how long. Kept in memory from appends and digest's cursor, so reading it costs nothing. */
import type { LogPosition } from '#inbox/read-log.ts'

type BacklogGroup = { records: number; bytes: number; at: number; end: LogPosition }
type Backlog = {
  appended(group: BacklogGroup): void
  /** Left by an earlier run, so it comes before everything that this run appends. */
  found(group: BacklogGroup): void
  digestedUpTo(at: LogPosition): void
  /** The records of earlier runs are counted. Until then the size of the backlog is unknown. */
  surveyed(): void
  /** NaN until `surveyed` was called. */
  readonly records: number
  /** Bytes known so far; may be too low until `surveyed` was called. */
  readonly bytes: number
  oldestSeconds(now: number): number
}

/** Above it, neighbors are merged: memory stays bounded while digest is down, and ages are off by a few groups at most. */
const maxGroups = 5_000

export function createBacklog(): Backlog {
  let groups: BacklogGroup[] = []
  const sum = (field: 'records' | 'bytes'): number => groups.reduce((total, group) => total + group[field], 0)
  let records = 0
  let bytes = 0
  let isSurveyed = false

  function recount(): void {
    records = sum('records')
    bytes = sum('bytes')
  }

  return {
    appended: group => {
      groups.push(group)
      records += group.records
      bytes += group.bytes
      if (groups.length > maxGroups) groups = mergeNeighbors(groups)
    },
    found: group => {
      groups.unshift(group)
      recount()
    },
    digestedUpTo: at => {
      const left = groups.findIndex(group => isAfter(group.end, at))
      groups = left === -1 ? [] : groups.slice(left)
      recount()
    },
    surveyed: () => {
      isSurveyed = true
    },
    get records() {
      return isSurveyed ? records : Number.NaN
    },
    get bytes() {
      return bytes
    },
    oldestSeconds: now => {
      if (!isSurveyed) return Number.NaN
      return groups[0] ? Math.max(0, (now - groups[0].at) / 1000) : 0
    },
  }
}

const isAfter = (a: LogPosition, b: LogPosition): boolean =>
  a.segment > b.segment || (a.segment === b.segment && a.position > b.position)

function mergeNeighbors(groups: BacklogGroup[]): BacklogGroup[] {
  return groups.flatMap((group, index) => {
    if (index % 2 === 1) return []
    const next = groups[index + 1]
    return [
      next
        ? { records: group.records + next.records, bytes: group.bytes + next.bytes, at: group.at, end: next.end }
        : group,
    ]
  })
}
