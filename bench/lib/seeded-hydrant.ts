import { existsSync, writeFileSync } from 'node:fs'
import { mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { openControl } from '#store/control/open-control.ts'
import { openTelemetry, telemetryAddress } from '#store/telemetry/telemetry.ts'
import { type Hydrant, startHydrant, until } from '../../test/start-hydrant.ts'

export const account = { org: 'acme', project: 'web', email: 'bench@example.com', password: 'correct horse battery' }

export type SeedSize = { events: number; spans: number }
type SeededHydrant = Hydrant & { settled(): Promise<void>; end(): Promise<void> }

/**
 * A Hydrant that looks back on a month. `keepIn` names a folder where seeded data stays for the next run of the same day: a month
 * of it takes minutes to make, and tomorrow its last 24 hours would be empty.
 */
export async function startSeededHydrant({ events, spans }: SeedSize, keepIn: string | null): Promise<SeededHydrant> {
  const today = new Date().toISOString().slice(0, 10)
  const dataDir = keepIn
    ? join(keepIn, `${events}-events-${spans}-spans-${today}`)
    : await mkdtemp(join(tmpdir(), 'hydrant-bench-'))
  const stamp = join(dataDir, 'seeded')
  const hasSeed = existsSync(stamp)
  await mkdir(dataDir, { recursive: true })
  const hydrant = await startHydrant({ dataDir, env: { HYDRANT_LOG_LEVEL: 'warn', HYDRANT_SELF_REPORT: 'on' } })
  if (!hasSeed) await sow().catch(stopAndThrow)
  return Object.assign(hydrant, {
    settled: async () => {
      await daysCompared(dataDir)
      await mergesDone(dataDir)
    },
    end: async () => {
      if (keepIn) await hydrant.kill('SIGTERM')
      else await hydrant.stop()
    },
  })

  async function sow(): Promise<void> {
    const { org, project, email, password } = account
    await hydrant.init('--org', org, '--project', project, '--email', email, '--password', password)
    const begun = performance.now()
    const counts = ['--events', String(events), '--spans', String(spans), '--logs', '0']
    const words = await hydrant.cli('seed', '--org', org, '--project', project, ...counts)
    process.stdout.write(`seeded: ${words.trim()} ${((performance.now() - begun) / 60e3).toFixed(1)} min\n`)
    writeFileSync(stamp, '')
    await hydrant.kill('SIGTERM') // what seeding has warmed and filled is not what a page meets
    await hydrant.start()
  }

  /** Nobody else knows of it yet. */
  async function stopAndThrow(error: unknown): Promise<never> {
    await hydrant.stop()
    throw error
  }
}

/** Stored days are compared with their counters once, which takes a while after a month was seeded, and a quarter of the engine. */
async function daysCompared(dataDir: string): Promise<void> {
  const control = openControl({ dataDir, databaseUrl: undefined })
  try {
    await until(async () => {
      await new Promise(resolve => setTimeout(resolve, 1_000))
      const missing = await control.db
        .selectFrom('hash_day')
        .leftJoin('reconciled_day', 'reconciled_day.day', 'hash_day.day')
        .select('hash_day.day')
        .where('reconciled_day.day', 'is', null)
        .limit(1)
        .executeTakeFirst()
      return missing === undefined
    }, 1_200_000)
  } finally {
    await control.close()
  }
}

/** Parts are merged for a while after they were written, on a core that the pages would have had. */
export async function mergesDone(dataDir: string): Promise<void> {
  const telemetry = openTelemetry(telemetryAddress({ dataDir, clickhouseUrl: process.env.CLICKHOUSE_URL }))
  try {
    // Three times in a row: a start migrates first, and what that writes is merged too.
    let quiet = 0
    await until(async () => {
      await new Promise(resolve => setTimeout(resolve, 1_000))
      const query = 'SELECT count() AS running FROM system.merges LIMIT 1'
      const asked = telemetry.query({ query, schema: z.object({ running: z.coerce.number() }) })
      const rows = await asked.catch(() => []) // right after a start the engine is not there yet
      quiet = rows[0]?.running === 0 ? quiet + 1 : 0
      return quiet === 3
    }, 600_000)
  } finally {
    await telemetry.close()
  }
}
