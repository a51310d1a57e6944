/** A recorded visit as another user would have made it at another time: consistent ids, times, releases and user in all of its payloads. */
import { createHash } from 'node:crypto'
import { type CapturedRequest, type CapturedVisit, recordedReleases, recordedUser } from './capture-file.ts'

export type Repeat = {
  /** Makes the ids of this repeat; the same text makes the same ids. */
  key: string
  /** Milliseconds since 1970. */
  beginsAt: number
  user: string
  /** Instead of the recorded ones, in their order. */
  releases: readonly [string, string]
}

/** A payload may speak of the moments before the visit began: clocks differ, and a page load begins before its first request. */
const marginMs = 60_000

export function repeatVisit(visit: CapturedVisit, ids: ReadonlySet<string>, repeat: Repeat): CapturedVisit {
  const change = changesOf(visit, ids, repeat)
  return {
    name: visit.name,
    beganAt: repeat.beginsAt,
    endedAt: repeat.beginsAt + visit.endedAt - visit.beganAt,
    requests: visit.requests.map(request => change(request) as CapturedRequest),
  }
}

const idPattern = /(?<![0-9a-f])(?:[0-9a-f]{32}|[0-9a-f]{16}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![0-9a-f])/g
const timePattern = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z/g

/** As SDKs send it, and encoded as in a URL. */
const releasePattern = /shop(?:@|%40)\d\.\d\.\d/g

/** The texts of a visit that no repeat changes. Spans and profiles repeat the same texts thousands of times. */
const unchanged = new WeakMap<CapturedVisit, Set<string>>()

function changesOf(visit: CapturedVisit, ids: ReadonlySet<string>, { key, beginsAt, user, releases }: Repeat) {
  const shiftMs = beginsAt - visit.beganAt
  const firstMs = visit.beganAt - marginMs
  const lastMs = visit.endedAt + marginMs
  const isInVisit = (ms: number) => ms >= firstMs && ms <= lastMs
  const renamed = new Map<string, string>()
  const fixed = unchanged.get(visit) ?? new Set()
  unchanged.set(visit, fixed)
  const names = recordedReleases.flatMap((recorded, index) => {
    const name = releases[index] ?? recorded
    return [[recorded, name] as const, [encodeURIComponent(recorded), encodeURIComponent(name)] as const]
  })
  const nameOf = new Map<string, string>(names)

  function idOf(id: string): string {
    if (!ids.has(id)) return id
    const known = renamed.get(id) ?? renameId(id, key)
    renamed.set(id, known)
    return known
  }

  function changeText(text: string): string {
    if (text === recordedUser) return user
    if (fixed.has(text)) return text
    const changed = text
      .replace(idPattern, idOf)
      .replace(timePattern, time => {
        const ms = Date.parse(time)
        return isInVisit(ms) ? new Date(ms + shiftMs).toISOString() : time
      })
      .replace(releasePattern, release => nameOf.get(release) ?? release)
    if (changed === text) fixed.add(text)
    return changed
  }

  /** Times are in seconds, milliseconds, or nanoseconds as OpenTelemetry has them. */
  function changeNumber(value: number): number {
    if (isInVisit(value)) return value + shiftMs
    if (isInVisit(value * 1e3)) return Math.round(value * 1e6 + shiftMs * 1e3) / 1e6
    return isInVisit(value / 1e6) ? value + shiftMs * 1e6 : value
  }

  function change(value: unknown): unknown {
    if (typeof value === 'string') return changeText(value)
    if (typeof value === 'number') return changeNumber(value)
    if (Array.isArray(value)) return value.map(change)
    if (typeof value !== 'object' || value === null) return value
    if ('base64' in value) return value
    const changed: Record<string, unknown> = {}
    for (const [name, inner] of Object.entries(value)) changed[changeText(name)] = change(inner)
    return changed
  }
  return change
}

/** Keeps the length, and the hyphens of a UUID. */
function renameId(id: string, key: string): string {
  const digits = createHash('sha256').update(`${key}:${id}`).digest('hex')
  let at = 0
  return id.replaceAll(/[0-9a-f]/g, () => digits[at++] ?? '0')
}
