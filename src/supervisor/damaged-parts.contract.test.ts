import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { startEngine } from '#engine/start-engine.ts'
import { openLog } from '#lib/open-log.ts'
import { createPrometheusRegistry } from '#lib/prometheus.ts'
import { createHydrantMetrics } from '#metrics.ts'
import { migrateTelemetry } from '#store/telemetry/migrate-telemetry.ts'
import { openTelemetry } from '#store/telemetry/telemetry.ts'
import { watchDamagedParts } from './damaged-parts.ts'
import { dataPaths } from './data-folder.ts'

const days = ['2026-11-01', '2026-11-02', '2026-11-03', '2026-11-04']

test('a damaged part is dropped: queries work again, the log names it, and its files are kept', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'hydrant-parts-'))
  const { telemetry: dataPath, engineSocket: socketPath } = dataPaths(dataDir)
  const open = async () => {
    const engine = await startEngine({ dataPath, socketPath, log: () => undefined })
    const telemetry = openTelemetry({ kind: 'socket', socketPath })
    return { telemetry, stop: () => telemetry.close().then(engine.stop) }
  }
  const partOf = async (day: string) => {
    const folders = await readdir(join(dataPath, 'store'), { recursive: true })
    const name = folders.find(folder => new RegExp(`/${day.replaceAll('-', '')}-\\d+_\\d+_\\d+_\\d+$`).test(folder))
    return join(dataPath, 'store', name ?? '')
  }
  const change = async (path: string) => {
    const bytes = await readFile(path)
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 0x41
    await writeFile(path, bytes)
  }
  const registry = createPrometheusRegistry()
  const logged: { table: string; part: string; rows: number; folder: string }[] = []
  const log = openLog('main', 'silent')
  log.error = (fields: unknown) => logged.push(fields as (typeof logged)[number])
  const first = await open()
  await migrateTelemetry(first.telemetry, { kind: 'single' })
  for (const day of days)
    await first.telemetry.command(
      `INSERT INTO outcomes (project_id, hour, retention_days, reason) SELECT number, toDateTime('${day} 00:00:00'), 30, toString(number) FROM numbers(50)`,
    )
  await first.stop()
  const [corrupt = '', withoutChecksums = '', gone = ''] = await Promise.all(days.map(partOf))
  await change(join(corrupt, 'data.bin'))
  await change(join(withoutChecksums, 'checksums.txt'))
  await rm(gone, { recursive: true })

  const second = await open()
  try {
    const metrics = createHydrantMetrics(registry)
    const watch = await watchDamagedParts({ telemetry: second.telemetry, dataDir, log, metrics })
    const count = () =>
      second.telemetry.query({
        query:
          'SELECT toDate(hour) AS day, count() AS rows, sum(cityHash64(*)) > 0 AS isRead FROM outcomes GROUP BY day ORDER BY day LIMIT 9',
        schema: z.object({ day: z.string(), rows: z.coerce.number() }),
      })
    await expect(count()).rejects.toThrow()
    await watch.check()
    expect(await count()).toEqual([{ day: '2026-11-04', rows: 50 }])
    await watch.check()
    watch.stop()
    expect(logged.map(({ table, rows }) => [table, rows])).toEqual([
      ['outcomes', 50],
      ['outcomes', 50],
    ])
    for (const { folder } of logged) expect(await readdir(folder)).toContain('data.bin')
    expect(registry.print()).toContain('hydrant_telemetry_damaged_parts 2\n')
  } finally {
    await second.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
})
