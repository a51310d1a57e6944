/** The view by which versions before telemetry migration 0030 filled `event_index`. */
import { listTelemetryMigrations } from '#store/telemetry/migrate-telemetry.ts'
import { renderStatements } from '#store/telemetry/table-layout.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'

export async function withIndexView<Result>(telemetry: Telemetry, work: () => Promise<Result>): Promise<Result> {
  const statements = (await listTelemetryMigrations()).flatMap(({ sql }) => renderStatements(sql, { kind: 'single' }))
  for (const statement of statements.filter(text =>
    /^(CREATE MATERIALIZED VIEW|ALTER TABLE event_index_feed)/.test(text),
  ))
    await telemetry.command(statement)
  try {
    return await work()
  } finally {
    await telemetry.command('DROP VIEW event_index_feed')
  }
}
