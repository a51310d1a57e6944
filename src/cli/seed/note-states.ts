/** What digest would have noted beside the counters: releases, events and users by the hour and by the day, and what each issue is at first sight. */
import { z } from 'zod'
import { addPeriods } from '#digest/loop/count-periods.ts'
import { introduceIssues } from '#digest/loop/introduce-issues.ts'
import { sweepIssues } from '#digest/loop/sweep-issues.ts'
import type { Control } from '#store/control/control.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import type { SeedPlan } from './plan.ts'

const periodRow = z.object({
  group_version: z.coerce.number(),
  group_hash: z.string(),
  period: z.coerce.number(),
  event_count: z.coerce.number(),
  users: z.array(z.string()),
})
const releaseRow = z.object({ version: z.string(), first_seen: z.coerce.number() })

export async function noteStates(control: Control, telemetry: Telemetry, plan: SeedPlan, nowMs: number): Promise<void> {
  const params = { projectId: plan.projectId, batchId: plan.batchId, sinceMs: nowMs - 8 * 86_400_000 }
  const seeded = 'FROM events WHERE project_id = {projectId:UInt64} AND batch_id = {batchId:String}'
  const periods = (seconds: number, since: string) =>
    telemetry.query({
      query: `SELECT group_version, toString(group_hash) AS group_hash, intDiv(toUnixTimestamp(timestamp), ${seconds}) AS period,
                toUInt64(sum(weight)) AS event_count, groupUniqArray(toString(user_hash)) AS users
              ${seeded} ${since} GROUP BY group_version, group_hash, period ORDER BY group_version, group_hash, period LIMIT 5000000`,
      params,
      schema: periodRow,
      settings: { max_execution_time: 110 },
    })
  const hours = await periods(3_600, 'AND timestamp > fromUnixTimestamp64Milli({sinceMs:Int64})')
  const days = await periods(86_400, '')
  const releases = await telemetry.query({
    query: `SELECT release AS version, toUnixTimestamp64Milli(min(timestamp)) AS first_seen ${seeded} AND release != ''
            GROUP BY release LIMIT 1000`,
    params,
    schema: releaseRow,
  })
  const crashes = await telemetry.query({
    query: `SELECT DISTINCT toString(group_hash) AS group_hash ${seeded} AND NOT is_handled LIMIT 100000`,
    params,
    schema: z.object({ group_hash: z.string() }),
  })
  await control.db.transaction().execute(async trx => {
    const groups = (rows: typeof hours) =>
      rows.map(({ users, ...row }) => ({ project_id: plan.projectId, ...row, users: new Set(users) }))
    await addPeriods(trx, { table: 'hash_hour', column: 'hour' }, groups(hours))
    await addPeriods(trx, { table: 'hash_day', column: 'day' }, groups(days))
    for (const release of releases)
      await trx
        .insertInto('project_release')
        .values({ project_id: plan.projectId, ...release })
        .onConflict(conflict => conflict.doNothing())
        .execute()
    const crashed = new Set(crashes.map(row => row.group_hash))
    const issues = await trx
      .selectFrom('issue')
      .innerJoin('issue_hash', 'issue_hash.issue_id', 'issue.id')
      .select(['issue.id', 'issue.level', 'issue.is_unhandled', 'issue.substatus_at', 'issue_hash.group_hash'])
      .where('issue.project_id', '=', plan.projectId)
      .where('issue.substatus_at', '=', 0)
      .execute()
    await introduceIssues(
      trx,
      issues.map(issue => ({ ...issue, arrivals: [{ isUnhandled: crashed.has(issue.group_hash) }] })),
    )
  })
  await sweepIssues(control, nowMs)
}
