/** Templates wait in tables of the engine while it multiplies them; `batch_id` holds the key by which a visit finds its own. */
import { encodeRows, insertColumns } from '#store/telemetry/encode-rows.ts'
import type { Rows } from '#store/telemetry/rows.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'

type Seeded = 'events' | 'spans' | 'logs' | 'route_sums'
/** Each row is a block of its own, and a block takes the engine about 70 KB: all at once would pass its limit for a statement. */
const rowsPerInsert = 1_000

export const templateTable = (table: Seeded): string => `seed_${table}`

export async function loadTemplates<Table extends Seeded>(
  telemetry: Telemetry,
  table: Table,
  templates: readonly { key: string; row: Rows[Table] }[],
): Promise<void> {
  const name = templateTable(table)
  await telemetry.command(`DROP TABLE IF EXISTS ${name}`)
  await telemetry.command(`CREATE TABLE ${name} AS ${table} ENGINE = MergeTree ORDER BY tuple()`)
  for (let at = 0; at < templates.length; at += rowsPerInsert) {
    const some = templates.slice(at, at + rowsPerInsert)
    const body = Buffer.concat(some.map(({ key, row }) => encodeRows(table, [row], key)))
    const token = `${name}:${at}`
    const result = await telemetry.insert({ table: name, columns: insertColumns(table), body, token })
    if (result.kind !== 'done') throw new Error(`The templates of ${table} were not inserted: ${result.message}`)
  }
}

export async function dropTemplates(telemetry: Telemetry): Promise<void> {
  for (const table of ['events', 'spans', 'logs', 'route_sums'] as const)
    await telemetry.command(`DROP TABLE IF EXISTS ${templateTable(table)}`)
}
