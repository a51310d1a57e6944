/** The same telemetry in a second project of the other organization, under names that only this project has. */
import type { Control } from '#store/control/control.ts'
import { tableNames } from '#store/telemetry/tables.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { writeBatch } from '#store/telemetry/write-batch.ts'
import { indexStoredEventsSql } from '#store/telemetry/write-events.ts'
import { backendId, type Other, organizationId } from './other-organization.ts'

export const neighbor = { environment: 'neighbor-env', release: 'neighbor@1.0.0', project: 'backend' }
/** Columns whose values are named after the project. Ids stay the same, so that a read has to tell the projects apart. */
const renamed: Readonly<Record<string, string>> = {
  environment: neighbor.environment,
  release: neighbor.release,
  route: '/neighbor',
  server_name: 'neighbor-host',
  filename: 'neighbor.txt',
}

export async function writeNeighbor(control: Control, telemetry: Telemetry, other: Other): Promise<void> {
  for (const table of tableNames) {
    const rows = ((other.rows[table] ?? []) as unknown as Record<string, unknown>[]).map(row => ({
      ...row,
      ...Object.fromEntries(Object.entries(renamed).filter(([name]) => name in row)),
      // Two spans of one time and id would come in any order.
      ...(table === 'spans' ? { span_id: String(BigInt(String(row.span_id)) ^ 1n) } : {}),
      project_id: backendId,
    }))
    // Written from the events below.
    if (rows.length === 0 || table === 'event_index') continue
    const write = { table, rows: rows as never, batchId: 'neighbor:1', mayHaveArrived: false, isSuspect: false }
    const result = await writeBatch(telemetry, write)
    if (result.kind !== 'done' || result.refused.length > 0) throw new Error(`${table} was not written`)
  }
  await telemetry.command(indexStoredEventsSql(`project_id = ${backendId}`))
  await writeControl(control, other)
}

async function writeControl({ db }: Control, { now, release, event }: Other): Promise<void> {
  const fields = { organization_id: organizationId, created_at: now, started_at: null }
  await db
    .insertInto('release')
    .values({ ...fields, id: 75, version: neighbor.release, released_at: now })
    .execute()
  await db
    .insertInto('release_project')
    .values([
      { release_id: 75, project_id: backendId },
      { release_id: 70, project_id: backendId },
    ])
    .execute()
  await db
    .insertInto('project_release')
    .values([
      { project_id: backendId, version: neighbor.release, first_seen: release.createdAt + 2 },
      { project_id: backendId, version: release.version, first_seen: release.createdAt + 2 },
    ])
    .execute()
  const counted = { project_id: backendId, group_version: event.group_version, event_count: 4, user_sketch: null }
  const hour = Math.floor(event.timestamp / 3_600_000)
  await db
    .insertInto('hash_hour')
    .values({ ...counted, group_hash: 'b'.repeat(32), hour })
    .execute()
  await db
    .insertInto('hash_day')
    .values({ ...counted, group_hash: 'b'.repeat(32), day: Math.floor(hour / 24) })
    .execute()
  const incident = { organization_id: organizationId, detector_id: null, rule_id: null, severity: 'critical' as const }
  await db
    .insertInto('incident')
    .values({
      ...{ ...incident, id: 99, project_id: backendId, name: 'Neighbor incident', opened_at: now, closed_at: null },
      ...{ peak: 1, reason: 'neighbor', metric: '' },
    })
    .execute()
  await db
    .insertInto('channel')
    .values({
      ...{ id: 907, organization_id: organizationId, project_id: backendId, name: 'Neighbor hook', kind: 'webhook' },
      ...{ config: '{}', state_at: now, owner_user_id: null, created_at: now },
    })
    .execute()
}
