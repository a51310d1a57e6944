/** What waits in the inbox: how much, and since when. Fed by appends, cleared by digest's cursor, so asking costs nothing. */

import { statfs } from 'node:fs/promises'
import type { LogPosition } from '#inbox/read-log.ts'

type BacklogGroup = { records: number; bytes: number; at: number; end: LogPosition }
type Backlog = {
  appended(group: BacklogGroup): void
  /** From an earlier life: it comes before all that this one appends. */
  found(group: BacklogGroup): void
  digestedUpTo(at: LogPosition): void
  /** What an earlier life left behind has been counted; until then nobody knows how much waits. */
  surveyed(): void
  /** NaN until it is known. */
  readonly records: number
  /** What is known to wait, which may be less than all of it until the survey. */
  readonly bytes: number
  oldestSeconds(now: number): number
}

const mostGroups = 5_000 // while digest is away, neighbors are joined: an age is then right to a few groups

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
      if (groups.length > mostGroups) groups = joinNeighbors(groups)
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

function joinNeighbors(groups: BacklogGroup[]): BacklogGroup[] {
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

/* Free space, looked at every few seconds: a full tracker says 429 and never takes down the app that reports to it. */

type DiskWatch = { readonly freeBytes: number; isNearlyFull(): boolean; stop(): void }

const everyMs = 3_000

export async function watchDisk(folder: string, reserveBytes: number): Promise<DiskWatch> {
  let freeBytes = Number.POSITIVE_INFINITY
  async function look(): Promise<void> {
    // If the folder cannot be asked, writing to it will say so: no limit is guessed here.
    const stats = await statfs(folder).catch(() => null)
    freeBytes = stats ? stats.bavail * stats.bsize : Number.POSITIVE_INFINITY
  }
  await look()
  const timer = setInterval(look, everyMs)
  timer.unref()
  return {
    get freeBytes() {
      return freeBytes
    },
    isNearlyFull: () => freeBytes < reserveBytes,
    stop: () => clearInterval(timer),
  }
}
