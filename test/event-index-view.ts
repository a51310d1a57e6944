/** The view by which versions before telemetry migration 0030 filled `event_index`. */
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { indexStoredEventsSql } from '#store/telemetry/write-events.ts'

export async function withIndexView<Result>(telemetry: Telemetry, work: () => Promise<Result>): Promise<Result> {
  const query = indexStoredEventsSql('1').replace(/^INSERT INTO event_index \(.*?\) /, '')
  await telemetry.command(`CREATE MATERIALIZED VIEW event_index_feed TO event_index AS ${query}`)
  try {
    return await work()
  } finally {
    await telemetry.command('DROP VIEW event_index_feed')
  }
}
