/** Decides what a batch does with events that its records alone do not settle. */

import { hashKey } from '#domain/issues/counters/counted-event.ts'
import type { GroupedEvent, HeldEvent } from '#domain/issues/counters/grouped-event.ts'
import type { LogPosition } from '#inbox/read-log.ts'
import type { Control } from '#store/control/control.ts'
import { type EventRow, noId } from '#store/telemetry/rows.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import type { BatchRecord } from '../prepare-batch.ts'
import type { BatchPlan } from './batch-plan.ts'
import {
  findStoredErrors,
  isServerError,
  pickServerError,
  type ServerError,
  serverErrorOf,
  targetOf,
} from './find-server-errors.ts'
import { listHeldEvents, mostHeld, type StoredHeldEvent } from './held-events.ts'
import { findDigests } from './server-groups.ts'

export type PlanOptions = {
  control: Control
  telemetry: Pick<Telemetry, 'query'>
  inboxId: string
  records: readonly BatchRecord[]
  /** The batch before, while it is not committed: its rows may not be stored yet, and what it released is not free. */
  before: { rows: { events: EventRow[] }; groupedEvents: GroupedEvent[]; plan: BatchPlan } | null
  /** False for a repeat: what waits now did not wait then. */
  mayRelease: boolean
  /** Where the batch ends. */
  end: LogPosition
  now: number
}

export async function makePlan(options: PlanOptions): Promise<BatchPlan> {
  const { control, inboxId, records, before, mayRelease, end, now } = options
  const fresh = records.flatMap(({ processed }) => browserErrorsOf(processed))
  const taken = new Set(before?.plan.released)
  const waiting = mayRelease
    ? (await listHeldEvents(control, inboxId)).filter(each => !taken.has(each.row.event_id))
    : []
  const { pick, byDigest } = await findTargets(options, [...fresh, ...waiting])
  const joined: BatchPlan['joined'] = {}
  const linked: BatchPlan['linked'] = {}
  const claimed = new Set(Object.values(before?.plan.linked ?? {}).map(({ eventId }) => eventId))
  for (const event of [...fresh, ...waiting]) {
    const error = pick(event)
    const target = error === null ? byDigest(event) : targetOf(event, error)
    if (target !== null) joined[event.row.event_id] = target
    if (error !== null && isSameFailure(event, error, claimed)) {
      claimed.add(error.eventId)
      const { eventId, userHash, isUserInferred, route } = error
      linked[event.row.event_id] = { eventId, userHash, isUserInferred, route }
    }
  }
  const isFree = ({ row }: HeldEvent): boolean => joined[row.event_id] === undefined
  return {
    at: now,
    end: end.position,
    endSegment: end.segment,
    held: fresh
      .filter(isFree)
      .filter(hasName)
      .slice(0, Math.max(0, mostHeld - waiting.length))
      .map(idOf),
    released: waiting.filter(event => !isFree(event) || isDue(event, now)).map(idOf),
    joined,
    linked,
    seen: await countSeen(control, records, before?.groupedEvents ?? []),
  }
}

/** Milliseconds. While batches follow each other closely, the store is asked about waiting events only this often. */
const askEveryMs = 2_000
const isFresh = (event: HeldEvent | StoredHeldEvent, now: number): boolean =>
  !('heldUntil' in event) || event.heldUntil <= now
const mayAskAgain = (before: PlanOptions['before'], now: number): boolean =>
  before === null || Math.floor(before.plan.at / askEveryMs) !== Math.floor(now / askEveryMs)

const idOf = ({ row }: HeldEvent): string => row.event_id
const isDue = ({ heldUntil }: StoredHeldEvent, now: number): boolean => heldUntil <= now
/** Without a trace and a digest nothing can ever be found for it. */
const hasName = ({ row, grouped }: HeldEvent): boolean => row.trace_id !== noId || grouped.serverError?.digest !== ''

function browserErrorsOf({ rows, groupedEvents }: BatchRecord['processed']): HeldEvent[] {
  return groupedEvents.flatMap(grouped => {
    if (grouped.serverError === null) return []
    const row = rows.events?.find(each => each.event_id === grouped.eventId)
    return row === undefined ? [] : [{ row, grouped }]
  })
}

async function findTargets({ control, telemetry, records, before, now }: PlanOptions, events: HeldEvent[]) {
  if (events.length === 0) return { pick: () => null, byDigest: () => null }
  const near = [...records.flatMap(({ processed }) => processed.rows.events ?? []), ...(before?.rows.events ?? [])]
  const nearErrors = near.filter(isServerError).map(serverErrorOf)
  const open = events.filter(event => event.row.trace_id !== noId && (isFresh(event, now) || mayAskAgain(before, now)))
  const siblings = await findSiblings(control, [...new Set(events.map(({ row }) => row.project_id))])
  const asked = {
    projectIds: [...new Set(open.flatMap(({ row }) => [...siblings(row.project_id)]))],
    traceIds: [...new Set(open.map(({ row }) => row.trace_id))],
  }
  const errors = [...nearErrors, ...(await findStoredErrors(telemetry, asked, now))]
  return {
    pick: (event: HeldEvent) => pickServerError(event, errors, siblings(event.row.project_id)),
    byDigest: await findDigests(control, events),
  }
}

/** Milliseconds. A browser reports within seconds; a cached page that names an old trace fails anew each time it is opened. */
const sameFailureMs = 5 * 60_000

/**
 * Whether the two events report one failure, which then counts once. An issue of another project counts its own. Many visitors may
 * get one cached failure, with the digest of the request that made it: without a common trace the server's event answers for one of them.
 */
function isSameFailure({ row }: HeldEvent, error: ServerError, claimed: ReadonlySet<string>): boolean {
  if (error.projectId !== row.project_id || Math.abs(error.receivedAt - row.received_at) > sameFailureMs) return false
  return (row.trace_id !== noId && error.traceId === row.trace_id) || !claimed.has(error.eventId)
}

/** How many events each group of deploy skew in a batch has had: counted ones, and those of the batch before it. */
async function countSeen(
  control: Control,
  records: readonly BatchRecord[],
  before: readonly GroupedEvent[],
): Promise<Record<string, number>> {
  const skews = records.flatMap(({ processed }) => processed.groupedEvents.filter(({ isSkew }) => isSkew))
  const seen: Record<string, number> = {}
  for (const [key, [first]] of Map.groupBy(skews, hashKey)) {
    if (first === undefined) continue
    const row = await control.db
      .selectFrom('issue_hash')
      .select('event_count')
      .where('project_id', '=', first.projectId)
      .where('group_version', '=', first.groupVersion)
      .where('group_hash', '=', first.groupHash)
      .executeTakeFirst()
    const uncommitted = before.filter(grouped => hashKey(grouped) === key)
    seen[key] = (row?.event_count ?? 0) + uncommitted.reduce((sum, { weight }) => sum + weight, 0)
  }
  return seen
}

/** The projects of the same organization, with the project itself. What is beyond them is somebody else's, whatever trace it names. */
async function findSiblings(
  control: Control,
  projectIds: readonly number[],
): Promise<(projectId: number) => ReadonlySet<number>> {
  const rows = await control.db
    .selectFrom('project')
    .select(['id', 'organization_id'])
    .where('organization_id', 'in', query =>
      query.selectFrom('project').select('organization_id').where('id', 'in', projectIds),
    )
    .execute()
  const organizationOf = new Map(rows.map(row => [row.id, row.organization_id]))
  const members = Map.groupBy(rows, row => row.organization_id)
  return projectId => {
    const own = members.get(organizationOf.get(projectId) ?? 0) ?? []
    return new Set([projectId, ...own.map(({ id }) => id)])
  }
}
