/** Decides which browser errors of a batch are linked to a server error, held for one, or released. */
import { hashKey } from '#domain/issues/counters/counted-event.ts'
import type { GroupedEvent, HeldEvent } from '#domain/issues/counters/grouped-event.ts'
import type { LogPosition } from '#inbox/read-log.ts'
import type { Control } from '#store/control/control.ts'
import { type EventRow, noId } from '#store/telemetry/rows.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import type { BatchRecord } from '../process-records.ts'
import type { BatchPlan } from './batch-plan.ts'
import {
  findStoredErrors,
  isServerError,
  pickServerError,
  type ServerError,
  serverErrorOf,
  targetOf,
} from './find-server-errors.ts'
import { listHeldEvents, maxHeldEvents, type StoredHeldEvent } from './held-events.ts'
import { findDigests, findServerProjects } from './server-groups.ts'

export type PlanOptions = {
  control: Control
  telemetry: Pick<Telemetry, 'query'>
  inboxId: string
  records: readonly BatchRecord[]
  /** The previous batch, while it is not committed: its rows may not be stored yet, and what it released is taken. */
  previous: { rows: { events: EventRow[] }; groupedEvents: GroupedEvent[]; plan: BatchPlan } | null
  /** False for a repeat: the events that are held now were not held then. */
  mayRelease: boolean
  /** The end of the batch in the log. */
  end: LogPosition
  now: number
}

export async function makePlan(options: PlanOptions): Promise<BatchPlan> {
  const { control, inboxId, records, previous, mayRelease, end, now } = options
  const fresh = records.flatMap(({ processed }) => browserErrorsOf(processed))
  const released = new Set(previous?.plan.released)
  const waiting = mayRelease
    ? (await listHeldEvents(control, inboxId)).filter(each => !released.has(each.row.event_id))
    : []
  const { findError, findByDigest, mayComeLater } = await searchServerErrors(options, [...fresh, ...waiting])
  const joined: BatchPlan['joined'] = {}
  const linked: BatchPlan['linked'] = {}
  const claimed = new Set(Object.values(previous?.plan.linked ?? {}).map(({ eventId }) => eventId))
  const held: string[] = []
  const mayHold = (event: HeldEvent): boolean => isLinkable(event) && held.length < maxHeldEvents - waiting.length
  for (const event of [...fresh, ...waiting]) {
    const error = findError(event)
    const target = error === null ? findByDigest(event) : targetOf(event, error)
    const waits = target === null || (error !== null && mayComeLater(event, error))
    if (waits && (isHeld(event) ? !isDue(event, now) : mayHold(event))) {
      if (!isHeld(event)) held.push(idOf(event))
      continue
    }
    if (target !== null) joined[event.row.event_id] = target
    if (error !== null && isSameFailure(event, error, claimed)) {
      claimed.add(error.eventId)
      const { eventId, userHash, isUserInferred, route } = error
      linked[event.row.event_id] = { eventId, userHash, isUserInferred, route }
    }
  }
  const isUnlinked = ({ row }: HeldEvent): boolean => joined[row.event_id] === undefined
  return {
    at: now,
    end: end.position,
    endSegment: end.segment,
    held,
    released: waiting.filter(event => !isUnlinked(event) || isDue(event, now)).map(idOf),
    joined,
    linked,
    seen: await countSeen(control, records, previous?.groupedEvents ?? []),
  }
}

/** While batches follow each other closely, the store is queried for held events only this often. */
const queryEveryMs = 2_000
const isHeld = (event: HeldEvent | StoredHeldEvent): event is StoredHeldEvent => 'heldUntil' in event
const isNewOrDue = (event: HeldEvent | StoredHeldEvent, now: number): boolean => !isHeld(event) || isDue(event, now)
const isQueryDue = (previous: PlanOptions['previous'], now: number): boolean =>
  previous === null || Math.floor(previous.plan.at / queryEveryMs) !== Math.floor(now / queryEveryMs)

const idOf = ({ row }: HeldEvent): string => row.event_id
const isDue = ({ heldUntil }: StoredHeldEvent, now: number): boolean => heldUntil <= now
/** Without a trace or a digest, no server error can be found. */
const isLinkable = ({ row, grouped }: HeldEvent): boolean => row.trace_id !== noId || grouped.serverError?.digest !== ''

function browserErrorsOf({ rows, groupedEvents }: BatchRecord['processed']): HeldEvent[] {
  return groupedEvents.flatMap(grouped => {
    if (grouped.serverError === null) return []
    const row = rows.events?.find(each => each.event_id === grouped.eventId)
    return row === undefined ? [] : [{ row, grouped }]
  })
}

/** Searches this batch, the previous one, the store, and the digests of earlier links. */
async function searchServerErrors({ control, telemetry, records, previous, now }: PlanOptions, events: HeldEvent[]) {
  if (events.length === 0) return { findError: () => null, findByDigest: () => null, mayComeLater: () => false }
  const near = [...records.flatMap(({ processed }) => processed.rows.events ?? []), ...(previous?.rows.events ?? [])]
  const nearErrors = near.filter(isServerError).map(serverErrorOf)
  const open = events.filter(
    event => event.row.trace_id !== noId && (isNewOrDue(event, now) || isQueryDue(previous, now)),
  )
  const siblings = await findSiblings(control, [...new Set(events.map(({ row }) => row.project_id))])
  const traces = {
    projectIds: [...new Set(open.flatMap(({ row }) => [...siblings(row.project_id)]))],
    traceIds: [...new Set(open.map(({ row }) => row.trace_id))],
  }
  const errors = [...nearErrors, ...(await findStoredErrors(telemetry, traces, now))]
  const findError = (event: HeldEvent) => pickServerError(event, errors, siblings(event.row.project_id))
  const abroad = events.flatMap(event => {
    const error = findError(event)
    return error === null || error.projectId === event.row.project_id ? [] : [event.row.project_id]
  })
  const withServer = await findServerProjects(control, [...new Set(abroad)])
  for (const { projectId } of nearErrors) withServer.add(projectId)
  return {
    findError,
    /** The project's own error is the cause. It comes later if a service behind the page fails and reports first. */
    mayComeLater: ({ row }: HeldEvent, { projectId }: ServerError): boolean =>
      projectId !== row.project_id && withServer.has(row.project_id),
    findByDigest: await findDigests(control, events),
  }
}

/** A browser reports within seconds; a cached page with an old trace fails again each time it is opened. */
const sameFailureMs = 5 * 60_000

/**
 * Whether both events report one failure, which then counts once. Another project counts its own events. Many users may get one
 * cached failure, with the digest of the request that made it: without a common trace, the server's event matches only one of them.
 */
function isSameFailure({ row }: HeldEvent, error: ServerError, claimed: ReadonlySet<string>): boolean {
  if (error.projectId !== row.project_id || Math.abs(error.receivedAt - row.received_at) > sameFailureMs) return false
  return (row.trace_id !== noId && error.traceId === row.trace_id) || !claimed.has(error.eventId)
}

/** How many events each group of deploy skew in this batch has had: the counted ones and those of the previous batch. */
async function countSeen(
  control: Control,
  records: readonly BatchRecord[],
  previous: readonly GroupedEvent[],
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
    const uncommitted = previous.filter(grouped => hashKey(grouped) === key)
    seen[key] = (row?.event_count ?? 0) + uncommitted.reduce((sum, { weight }) => sum + weight, 0)
  }
  return seen
}

/** The projects of the same organization, including the project itself. No other project is searched, whatever trace it has. */
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
