/** Finds the server error behind a browser error. */
import { z } from 'zod'
import type { HeldEvent } from '#domain/issues/counters/grouped-event.ts'
import { linkedGroupHash } from '#grouping/fingerprint.ts'
import { isServerMechanism, isServerMechanismSql } from '#react/frameworks/find-frameworks.ts'
import { type EventRow, noId } from '#store/telemetry/rows.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import type { LinkTarget } from './batch-plan.ts'

export type ServerError = Omit<LinkTarget, 'abroad'> & {
  projectId: number
  eventId: string
  /** '0' when the event has no user. */
  userHash: string
  /** The user is only known by an IP address. */
  isUserInferred: boolean
  /** Milliseconds, by the server's clock. */
  receivedAt: number
  traceId: string
  digest: string
  route: string
  /** Thrown while a framework rendered a page or ran an action for a browser. */
  isOfFramework: boolean
  at: number
}
type TraceQuery = { projectIds: readonly number[]; traceIds: readonly string[] }

/** Searched before and after now: browser clocks may be off, and a trace may be long. */
const searchMs = 24 * 3_600_000
const maxRows = 2_000

export const isServerError = ({ kind, platform, mechanism }: EventRow): boolean =>
  kind === 'error' && (platform !== 'javascript' || isServerMechanism(mechanism))

export const isUserInferred = ({ user_id, user_email, user_name, user_ip }: EventRow): boolean =>
  user_ip !== '' && `${user_id}${user_email}${user_name}` === ''

/** From a row of this batch or the previous one. */
export const serverErrorOf = (row: EventRow): ServerError => ({
  version: row.group_version,
  hash: row.group_hash,
  title: row.title,
  culprit: row.culprit,
  projectId: row.project_id,
  eventId: row.event_id,
  userHash: row.user_hash,
  isUserInferred: isUserInferred(row),
  receivedAt: row.received_at,
  traceId: row.trace_id,
  digest: row.tags.digest ?? '',
  route: row.route,
  isOfFramework: isServerMechanism(row.mechanism),
  at: row.timestamp,
})

const storedError = z.object({
  version: z.coerce.number(),
  hash: z.string(),
  title: z.string(),
  culprit: z.string(),
  projectId: z.coerce.number(),
  eventId: z.string(),
  userHash: z.string(),
  isUserInferred: z.coerce.boolean(),
  receivedAt: z.coerce.number(),
  traceId: z.string(),
  digest: z.string(),
  route: z.string(),
  isOfFramework: z.coerce.boolean(),
  at: z.coerce.number(),
})

/** The stored server errors of these traces, newest first. */
export async function findStoredErrors(
  telemetry: Pick<Telemetry, 'query'>,
  { projectIds, traceIds }: TraceQuery,
  now: number,
): Promise<ServerError[]> {
  if (traceIds.length === 0) return []
  return telemetry.query({
    query: `
      SELECT
        group_version AS version, group_hash AS hash, title, culprit, project_id AS projectId,
        replaceAll(toString(event_id), '-', '') AS eventId, toString(user_hash) AS userHash,
        user_id = '' AND user_email = '' AND user_name = '' AND user_ip != '' AS isUserInferred,
        toUnixTimestamp64Milli(received_at) AS receivedAt,
        replaceAll(toString(trace_id), '-', '') AS traceId, tags['digest'] AS digest, route,
        ${isServerMechanismSql} AS isOfFramework,
        toUnixTimestamp64Milli(timestamp) AS at
      FROM events
      WHERE project_id IN {projectIds:Array(UInt64)}
        AND events.timestamp >= fromUnixTimestamp64Milli({from:Int64})
        AND events.timestamp <= fromUnixTimestamp64Milli({to:Int64})
        AND events.trace_id IN (SELECT toUUID(arrayJoin({traceIds:Array(String)})))
        AND kind = 'error'
        AND (platform != 'javascript' OR ${isServerMechanismSql})
      ORDER BY events.timestamp DESC
      LIMIT {limit:UInt32}`,
    params: {
      projectIds: [...projectIds],
      traceIds: traceIds.map(asUuid),
      from: now - searchMs,
      to: now + searchMs,
      limit: maxRows,
    },
    schema: storedError,
  })
}

const asUuid = (id: string): string => id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/**
 * The server error of a browser error: it has the same trace or the same digest. Of several in one trace, those of the same
 * project come first, then those of the same route, then the nearest in time. `siblings` are the projects of its organization.
 */
export function pickServerError(
  { row, grouped }: HeldEvent,
  errors: readonly ServerError[],
  siblings: ReadonlySet<number>,
): ServerError | null {
  const digest = grouped.serverError?.digest ?? ''
  const isSameTrace = (error: ServerError): boolean => row.trace_id !== noId && error.traceId === row.trace_id
  const isSameRoute = (error: ServerError): boolean => error.route === row.route
  const isOtherProject = (error: ServerError): boolean => error.projectId !== row.project_id
  const candidates = errors.filter(error => {
    if (grouped.serverError?.isEcho && error.title !== row.title) return false
    if (!isOtherProject(error)) return isSameTrace(error) || (digest !== '' && error.digest === digest)
    // A trace continues in services behind the page, whose errors are causes at best. And two apps may have the same digest.
    return siblings.has(error.projectId) && isSameTrace(error) && (error.isOfFramework || isSameRoute(error))
  })
  const distance = (error: ServerError): number => Math.abs(error.at - row.timestamp)
  const [best] = candidates.toSorted(
    (a, b) =>
      Number(isOtherProject(a)) - Number(isOtherProject(b)) ||
      Number(isSameRoute(b)) - Number(isSameRoute(a)) ||
      distance(a) - distance(b),
  )
  return best ?? null
}

export function targetOf({ row }: HeldEvent, { version, hash, title, culprit, projectId }: ServerError): LinkTarget {
  if (projectId === row.project_id) return { version, hash, title, culprit }
  return { version, hash: linkedGroupHash(projectId, hash), title, culprit, abroad: { projectId, hash } }
}
