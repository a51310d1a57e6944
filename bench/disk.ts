/**
 * Bytes on disk for each event, span and log line: as written, and after the engine has merged everything into one part a day.
 *   npm run bench -- disk [--events 100000] [--spans 200000] [--logs 100000]
 */
import { z } from 'zod'
import { openTelemetry, type Telemetry, telemetryAddress } from '#store/telemetry/telemetry.ts'
import { readNumber } from './lib/options.ts'
import { report } from './lib/report.ts'
import { startBenchHydrant } from './lib/start-bench-hydrant.ts'

const counts = {
  events: readNumber('events', 100_000),
  spans: readNumber('spans', 200_000),
  logs: readNumber('logs', 100_000),
}
const tables = ['events', 'spans', 'logs'] as const
const names = { events: 'event', spans: 'span', logs: 'log line' }
const hydrant = await startBenchHydrant({ web: false })
const telemetry = openTelemetry(
  telemetryAddress({ dataDir: hydrant.dataDir, clickhouseUrl: process.env.CLICKHOUSE_URL }),
)

try {
  const options = Object.entries(counts).flatMap(([name, count]) => [`--${name}`, String(count)])
  await hydrant.cli('seed', '--days', '2', ...options)
  const written = await measure(telemetry)
  for (const table of tables) await telemetry.command(`OPTIMIZE TABLE ${table} FINAL`)
  const merged = await measure(telemetry)
  for (const table of tables) {
    const note = `as written ${written[table].bytesPerRow.toFixed(0)} bytes; ${merged[table].rows.toLocaleString('en-US')} seeded rows`
    report({
      name: `disk per ${names[table]}, merged`,
      value: merged[table].bytesPerRow,
      unit: 'bytes',
      promise: null,
      note,
    })
  }
} finally {
  await telemetry.close()
  await hydrant.stop()
}

type Sizes = Record<(typeof tables)[number], { rows: number; bytesPerRow: number }>

async function measure(store: Telemetry): Promise<Sizes> {
  const rows = await store.query({
    query: `
      SELECT table, sum(rows) AS row_count, sum(bytes_on_disk) / row_count AS bytes_per_row
      FROM system.parts
      WHERE active AND database = currentDatabase() AND table IN ('events', 'spans', 'logs')
      GROUP BY table LIMIT 10`,
    schema: z.object({ table: z.enum(tables), row_count: z.coerce.number(), bytes_per_row: z.coerce.number() }),
  })
  const sizeOf = (table: (typeof tables)[number]) => {
    const found = rows.find(row => row.table === table)
    if (!found) throw new Error(`nothing was seeded into ${table}`)
    return { rows: found.row_count, bytesPerRow: found.bytes_per_row }
  }
  return { events: sizeOf('events'), spans: sizeOf('spans'), logs: sizeOf('logs') }
}
