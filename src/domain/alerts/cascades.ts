/** One cause often makes several issues: those of one trace, and those that come with one deploy. They are told together. */
import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { bindArray, boundParams } from '#domain/events/event-condition.ts'
import { plainUuid } from '#domain/events/read-columns.ts'
import type { ReadChange } from '#domain/issues/change-log/read-changes.ts'
import { asUuid } from '#domain/traces/trace-scope.ts'
import { settleWithin } from '#lib/timing.ts'
import { noId } from '#store/telemetry/rows.ts'
import { type IssueMessage, maxItems, type SingleMessage } from './stored-message.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** Without traces a cascade is several messages; waiting for them would make all of them late. */
const patienceMs = 2_000
/** What begins later has another cause than the deploy. */
const deployForMs = hourMs
const maxDeploys = 1_000

/** Of each issue, the trace of the event that changed it. */
export type Traces = ReadonlyMap<number, string>
type Cause = Pick<ReadChange, 'projectId' | 'issueId' | 'kind' | 'at' | 'detail'>

const row = z.object({ event_id: z.string().transform(plainUuid), trace_id: z.string().transform(plainUuid) })

export async function readTraces(viewer: Viewer, changes: readonly ReadChange[]): Promise<Traces> {
  return pickTraces(changes, await readEventTraces(viewer, changes))
}

const isCaused = ({ kind, detail }: Cause): boolean => kind !== 'resolved' && detail.eventId !== undefined

/** The traces of the events that caused changes, by event id. One event alone has nothing in common with another. */
export async function readEventTraces(viewer: Viewer, changes: readonly Cause[]): Promise<ReadonlyMap<string, string>> {
  const caused = changes.filter(isCaused)
  if (caused.length < 2) return new Map()
  const { params, bind } = boundParams()
  const ids = caused.map(({ detail }) => detail.eventId ?? '')
  const since = Math.min(...caused.map(({ at }) => at)) - dayMs
  const query = viewer.telemetry.within([...new Set(caused.map(({ projectId }) => projectId))]).query({
    query: `
      SELECT event_id, trace_id FROM events
      WHERE {scope} AND event_id IN ${bindArray(ids.map(asUuid), 'UUID', bind)}
        AND timestamp >= fromUnixTimestamp64Milli(${bind(since, 'Int64')})
      LIMIT ${bind(ids.length, 'UInt32')}`,
    params,
    schema: row,
  })
  return new Map((await settleWithin(query, patienceMs))?.map(each => [each.event_id, each.trace_id]))
}

/** Of changes that are told at once. */
export function pickTraces(changes: readonly Cause[], found: ReadonlyMap<string, string>): Traces {
  return new Map(
    changes.filter(isCaused).flatMap(({ issueId, detail }) => {
      const trace = found.get(detail.eventId ?? '')
      return trace === undefined || trace === noId ? [] : [[issueId, trace] as const]
    }),
  )
}

/** The release whose deploy a change follows within the hour; empty for all others. */
export async function findDeploys(
  viewer: Viewer,
  changes: readonly ReadChange[],
): Promise<(change: Pick<ReadChange, 'projectId' | 'detail' | 'at'>) => string> {
  const released = changes.filter(({ detail }) => (detail.release ?? '') !== '')
  if (released.length === 0) return () => ''
  const since = Math.min(...released.map(({ at }) => at)) - deployForMs
  const deploys = await viewer.control
    .deploys()
    .innerJoin('release_project', 'release_project.release_id', 'release.id')
    .select(['release.version', 'release_project.project_id as projectId', 'deploy.finished_at as at'])
    .where('deploy.finished_at', '>=', since)
    .orderBy('deploy.finished_at', 'desc')
    .limit(maxDeploys)
    .execute()
  return ({ projectId, detail, at }) =>
    deploys.some(
      deploy =>
        deploy.projectId === projectId &&
        deploy.version === detail.release &&
        deploy.at <= at &&
        deploy.at > at - deployForMs,
    )
      ? (detail.release ?? '')
      : ''
}

/**
 * Makes one message of those that have a trace or a deploy in common: the first, which names the others. With `isWithinProject`, the
 * readers may not see all projects, so no message speaks of two. With `namesAll`, one that has no room for another is followed by a second.
 */
export function gatherCascades(
  messages: readonly SingleMessage[],
  traces: Traces,
  { isWithinProject, namesAll = false }: { isWithinProject: boolean; namesAll?: boolean },
): SingleMessage[] {
  const gathered: SingleMessage[] = []
  const firstOf = new Map<string, { index: number; cause: NonNullable<IssueMessage['cause']> }>()
  for (const message of messages) {
    if (message.kind !== 'issue' || message.type === 'issue.resolved') {
      gathered.push(message)
      continue
    }
    const place = isWithinProject ? message.projectId : 0
    const trace = traces.get(message.issueId)
    const keys = [
      ...(trace === undefined ? [] : [{ key: `trace ${place} ${trace}`, cause: 'trace' as const }]),
      ...(message.deploy ? [{ key: `deploy ${message.projectId} ${message.deploy}`, cause: 'deploy' as const }] : []),
    ]
    const found = keys.map(({ key }) => firstOf.get(key)).find(each => each !== undefined)
    const isFull = found !== undefined && namesAll && !hasRoom(gathered[found.index])
    const known = isFull ? undefined : found
    const first = known && gathered[known.index]
    if (first?.kind === 'issue' && known !== undefined && first.issueId !== message.issueId)
      gathered[known.index] = join(first, message, known.cause)
    else if (known === undefined) gathered.push(message)
    else continue
    const index = known?.index ?? gathered.length - 1
    for (const { key, cause } of keys) if (isFull || !firstOf.has(key)) firstOf.set(key, { index, cause })
  }
  return gathered
}

function join(
  first: IssueMessage,
  { others: _, more: __, cause: ___, ...other }: IssueMessage,
  cause: NonNullable<IssueMessage['cause']>,
): IssueMessage {
  const others = first.others ?? []
  const fits = hasRoom(first)
  return {
    ...first,
    cause: first.cause ?? cause,
    severity: worse(first.severity, other.severity),
    others: fits ? [...others, other] : others,
    more: (first.more ?? 0) + (fits ? 0 : 1),
  }
}

const hasRoom = (message: SingleMessage | undefined): boolean =>
  message?.kind === 'issue' && (message.others?.length ?? 0) < maxItems

const severities = ['info', 'warning', 'critical'] as const
const worse = (a: IssueMessage['severity'], b: IssueMessage['severity']): IssueMessage['severity'] =>
  severities[Math.max(severities.indexOf(a), severities.indexOf(b))] ?? a

/** `3 more in the same trace`; empty for a message that stands alone. */
export function describeCascade({ others = [], more = 0, cause, deploy = '' }: IssueMessage): string {
  const count = others.length + more
  if (count === 0) return ''
  return `${count} more ${cause === 'deploy' ? `after the deploy of ${deploy}` : 'in the same trace'}`
}
