/** Compares derived data with the stored events: totals, hours, days and the index. */
import { z } from 'zod'
import type { Control } from '#store/control/control.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'

/** The differences, as `hour <hash> <hour>: 3 counted, 4 stored`; empty when there are none. */
export async function compareCounters({ db }: Control, telemetry: Telemetry, projectId: number): Promise<string[]> {
  const stored = async (name: string, period: string, table = 'events') => {
    const rows = await telemetry.query({
      query: `SELECT concat(toString(group_hash), ' ', toString(${period})) AS key, sum(weight) AS events FROM ${table}
              WHERE project_id = {projectId:UInt64} GROUP BY key LIMIT 100000`,
      params: { projectId },
      schema: z.object({ key: z.string(), events: z.number() }),
    })
    return new Map(rows.map(row => [`${name} ${row.key}`, row.events]))
  }
  const counted = new Map<string, number>()
  const count = (name: string, rows: readonly { group_hash: string; period: number; event_count: number }[]): void => {
    for (const { group_hash, period, event_count } of rows) counted.set(`${name} ${group_hash} ${period}`, event_count)
  }
  const totals = await db.selectFrom('issue_hash').selectAll().where('project_id', '=', projectId).execute()
  count(
    'total',
    totals.map(row => ({ ...row, period: 0 })),
  )
  const hours = await db.selectFrom('hash_hour').selectAll().where('project_id', '=', projectId).execute()
  count(
    'hour',
    hours.map(row => ({ ...row, period: row.hour })),
  )
  const days = await db.selectFrom('hash_day').selectAll().where('project_id', '=', projectId).execute()
  count(
    'day',
    days.map(row => ({ ...row, period: row.day })),
  )
  for (const [key, events] of await stored('index', '0', 'event_index')) counted.set(key, events)
  const expected = new Map([
    ...(await stored('total', '0')),
    ...(await stored('index', '0')),
    ...(await stored('hour', 'intDiv(toUnixTimestamp(timestamp), 3600)')),
    ...(await stored('day', 'intDiv(toUnixTimestamp(timestamp), 86400)')),
  ])
  return [...new Set([...counted.keys(), ...expected.keys()])]
    .filter(key => (counted.get(key) ?? 0) !== (expected.get(key) ?? 0))
    .map(key => `${key}: ${counted.get(key) ?? 0} counted, ${expected.get(key) ?? 0} stored`)
}
