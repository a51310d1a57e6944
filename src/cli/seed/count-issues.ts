/** Creates issues and counters from the seeded events, with the same code as a digested batch. */
import { z } from 'zod'
import { sentBits } from '#domain/events/sent-kinds.ts'
import { countEvents } from '#domain/issues/counters/count-events.ts'
import type { GroupedEvent } from '#domain/issues/counters/grouped-event.ts'
import { sideOf } from '#react/side.ts'
import type { Control } from '#store/control/control.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import type { SeedPlan } from './plan.ts'

const row = z.object({
  group_version: z.coerce.number(),
  group_hash: z.string(),
  user_hash: z.string(),
  event_count: z.coerce.number(),
  first_seen: z.coerce.number(),
  last_seen: z.coerce.number(),
  last_event_id: z.string(),
  first_release: z.string(),
  last_release: z.string(),
  title: z.string(),
  culprit: z.string(),
  kind: z.string(),
  level: z.string(),
  platform: z.string(),
})

export async function countIssues(
  control: Control,
  telemetry: Telemetry,
  plan: SeedPlan,
  nowMs: number,
): Promise<number> {
  const groups = await telemetry.query({
    query: `
      SELECT
        group_version, toString(group_hash) AS group_hash, toString(user_hash) AS user_hash, toUInt64(sum(weight)) AS event_count,
        toUnixTimestamp64Milli(min(events.timestamp)) AS first_seen, toUnixTimestamp64Milli(max(events.timestamp)) AS last_seen,
        replaceAll(toString(argMax(event_id, events.timestamp)), '-', '') AS last_event_id,
        argMin(release, events.timestamp) AS first_release, argMax(release, events.timestamp) AS last_release,
        any(title) AS title, any(culprit) AS culprit, any(kind) AS kind, any(level) AS level, any(platform) AS platform
      FROM events
      WHERE project_id = {projectId:UInt64} AND batch_id = {batchId:String}
      GROUP BY group_version, group_hash, user_hash
      LIMIT 5000000`,
    params: { projectId: plan.projectId, batchId: plan.batchId },
    schema: row,
    settings: { max_execution_time: 110 },
  })
  const groupedEvents = groups.flatMap(group => toGroupedEvents(group, plan.projectId))
  const eventCount = groups.reduce((sum, group) => sum + group.event_count, 0)
  return control.db.transaction().execute(async trx => {
    const touch = (await countEvents(trx, control.dialect, groupedEvents, nowMs, { isPast: true })).get(plan.projectId)
    if (!touch) return 0
    const { eventId: last_event_id, issueId: last_issue_id } = touch
    const lastEvent = { last_event_id, last_issue_id, updated_at: nowMs }
    const sent_kinds = sentBits(plan.days.some(({ logs }) => logs > 0) ? ['spans', 'logs'] : ['spans'])
    await trx
      .insertInto('project_stats')
      .values({ project_id: plan.projectId, item_count: eventCount, event_count: eventCount, sent_kinds, ...lastEvent })
      .onConflict(conflict =>
        conflict.column('project_id').doUpdateSet(eb => ({
          ...lastEvent,
          sent_kinds: eb('project_stats.sent_kinds', '|', sent_kinds),
          item_count: eb('project_stats.item_count', '+', eventCount),
          event_count: eb('project_stats.event_count', '+', eventCount),
        })),
      )
      .execute()
    await trx
      .updateTable('project')
      .set({ first_event_at: nowMs })
      .where('id', '=', plan.projectId)
      .where('first_event_at', 'is', null)
      .execute()
    return new Set(groupedEvents.map(grouped => grouped.groupHash)).size
  })
}

/** The last event of each user carries the count; the first only sets `first_seen` and has weight 0. */
function toGroupedEvents(group: z.output<typeof row>, projectId: number): GroupedEvent[] {
  const { title, culprit, kind, level, platform } = group
  const isMismatch = title.startsWith('HydrationError')
  const side = isMismatch ? 'both' : sideOf({ platform, contexts: {} })
  const common = {
    projectId,
    groupVersion: group.group_version,
    groupHash: group.group_hash,
    groupFallbacks: [],
    userHash: group.user_hash,
    title,
    culprit,
    kind,
    level,
    side,
    noise: [],
    isSkew: false,
    serverError: null,
  }
  return [
    { ...common, eventId: group.last_event_id, timestamp: group.first_seen, release: group.first_release, weight: 0 },
    {
      ...common,
      eventId: group.last_event_id,
      timestamp: group.last_seen,
      release: group.last_release,
      weight: group.event_count,
    },
  ]
}

/** The rows actually written: traces are complete, so the number of spans differs a little from the requested one. */
export async function countRows(telemetry: Telemetry, { projectId, batchId }: SeedPlan): Promise<number> {
  const counts = await telemetry.query({
    query: `
      SELECT count() AS rows FROM (
        SELECT batch_id FROM events WHERE project_id = {projectId:UInt64} AND batch_id = {batchId:String}
        UNION ALL
        SELECT batch_id FROM spans WHERE project_id = {projectId:UInt64} AND batch_id = {batchId:String}
        UNION ALL
        SELECT batch_id FROM logs WHERE project_id = {projectId:UInt64} AND batch_id = {batchId:String}
      ) LIMIT 1`,
    params: { projectId, batchId },
    schema: z.object({ rows: z.coerce.number() }),
    settings: { max_execution_time: 110 },
  })
  return counts[0]?.rows ?? 0
}
