/** The server's errors of the traces that browsers ask about: of this batch, of the one before it, and of those that are stored. */
import { z } from 'zod'
import type { HeldEvent } from '#domain/issues/counters/grouped-event.ts'
import { linkedGroupHash } from '#grouping/fingerprint.ts'
import { type EventRow, noId } from '#store/telemetry/rows.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import type { JoinTarget } from './batch-plan.ts'

export type ServerError = Omit<JoinTarget, 'abroad'> & {
  projectId: number
  eventId: string
  /** '0' where nobody is named. */
  userHash: string
  /** Whether nothing but an address names the user. */
  isUserInferred: boolean
  /** Our clock, milliseconds. */
  receivedAt: number
  traceId: string
  digest: string
  route: string
  /** Whether it was thrown while Next rendered a page or ran an action. */
  isNext: boolean
  at: number
}
type Asked = { projectIds: readonly number[]; traceIds: readonly string[] }

/** Milliseconds before and after: clocks of browsers are wrong, and a trace may live long. */
const reachMs = 24 * 3_600_000
const maxRows = 2_000

export const isServerError = ({ kind, platform, mechanism }: EventRow): boolean =>
  kind === 'error' && (platform !== 'javascript' || mechanism.startsWith('auto.function.nextjs'))

export const isUserInferred = ({ user_id, user_email, user_name, user_ip }: EventRow): boolean =>
  user_ip !== '' && `${user_id}${user_email}${user_name}` === ''

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
  isNext: row.mechanism.startsWith('auto.function.nextjs'),
  at: row.timestamp,
})

const stored = z.object({
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
  isNext: z.coerce.boolean(),
  at: z.coerce.number(),
})

export async function findStoredErrors(
  telemetry: Pick<Telemetry, 'query'>,
  { projectIds, traceIds }: Asked,
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
        startsWith(mechanism, 'auto.function.nextjs') AS isNext,
        toUnixTimestamp64Milli(timestamp) AS at
      FROM events
      WHERE project_id IN {projectIds:Array(UInt64)}
        AND events.timestamp >= fromUnixTimestamp64Milli({from:Int64})
        AND events.timestamp <= fromUnixTimestamp64Milli({to:Int64})
        AND events.trace_id IN (SELECT toUUID(arrayJoin({traceIds:Array(String)})))
        AND kind = 'error'
        AND (platform != 'javascript' OR startsWith(mechanism, 'auto.function.nextjs'))
      ORDER BY events.timestamp DESC
      LIMIT {limit:UInt32}`,
    params: {
      projectIds: [...projectIds],
      traceIds: traceIds.map(asUuid),
      from: now - reachMs,
      to: now + reachMs,
      limit: maxRows,
    },
    schema: stored,
  })
}

const asUuid = (id: string): string => id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/**
 * The server's error that a browser's stands for: of the same trace or with the same digest. Of several in one trace the one of
 * its own project, then the one of the same route, and then the one nearest in time. `siblings` are the projects of its organization.
 */
export function pickServerError(
  { row, grouped }: HeldEvent,
  errors: readonly ServerError[],
  siblings: ReadonlySet<number>,
): ServerError | null {
  const digest = grouped.serverError?.digest ?? ''
  const isSameTrace = (error: ServerError): boolean => row.trace_id !== noId && error.traceId === row.trace_id
  const isSameRoute = (error: ServerError): boolean => error.route === row.route
  const isAbroad = (error: ServerError): boolean => error.projectId !== row.project_id
  const fitting = errors.filter(error => {
    if (!isAbroad(error)) return isSameTrace(error) || (digest !== '' && error.digest === digest)
    // A trace goes on to services behind the page: their errors are causes at best. And two apps may share a digest.
    return siblings.has(error.projectId) && isSameTrace(error) && (error.isNext || isSameRoute(error))
  })
  const distance = (error: ServerError): number => Math.abs(error.at - row.timestamp)
  const [best] = fitting.toSorted(
    (a, b) =>
      Number(isAbroad(a)) - Number(isAbroad(b)) ||
      Number(isSameRoute(b)) - Number(isSameRoute(a)) ||
      distance(a) - distance(b),
  )
  return best ?? null
}

export function targetOf({ row }: HeldEvent, { version, hash, title, culprit, projectId }: ServerError): JoinTarget {
  if (projectId === row.project_id) return { version, hash, title, culprit }
  return { version, hash: linkedGroupHash(projectId, hash), title, culprit, abroad: { projectId, hash } }
}
