/**
 * Finds parts of the embedded engine's tables whose files were damaged on disk. The engine detaches a part that it cannot load at
 * start and says nothing. A part that loads but cannot be read fails every query and merge that touches it: we find it through
 * `system.errors`, verify it with CHECK TABLE, copy it away and drop it.
 */
import { cp, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { Gauge } from '#lib/prometheus.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'

type Options = { telemetry: Telemetry; dataDir: string; log: Logger; metrics: { telemetryDamagedParts: Gauge } }

type DamagedParts = { check(): Promise<void>; stop(): void }

const checkEveryMs = 60_000
/** Errors that a changed byte, a truncated or a missing file causes. CHECK TABLE reads the whole part, so no other error triggers it. */
const damageErrors = [
  'ATTEMPT_TO_READ_AFTER_EOF',
  'BAD_SIZE_OF_FILE_IN_DATA_PART',
  'CANNOT_DECOMPRESS',
  'CANNOT_READ_ALL_DATA',
  'CHECKSUM_DOESNT_MATCH',
  'CORRUPTED_DATA',
  'FILE_DOESNT_EXIST',
  'INCORRECT_DATA',
  'TOO_LARGE_SIZE_COMPRESSED',
  'UNEXPECTED_END_OF_FILE',
  'UNKNOWN_CODEC',
]

const keptFolder = 'telemetry-damaged'

export async function watchDamagedParts(options: Options): Promise<DamagedParts> {
  const { dataDir, log, metrics } = options
  const detached = await listDetached(options)
  for (const { table, name, path } of detached) {
    const folder = hostPath(dataDir, path)
    log.error(
      { table, part: name, rows: await rowsIn(folder), folder },
      'telemetry part is damaged; its rows are missing, its files are kept',
    )
  }
  const checkedErrors = new Set<string>()
  const updateMetric = async () =>
    metrics.telemetryDamagedParts.set(
      detached.length + (await readdir(join(dataDir, keptFolder)).catch(() => [])).length,
    )
  const check = async (): Promise<void> => {
    for (const path of await listSuspects(options, checkedErrors)) await removeIfDamaged(options, path)
    await updateMetric()
  }
  await updateMetric()
  const timer = setInterval(
    () => check().catch(error => log.warn({ error: String(error) }, 'telemetry parts could not be checked; retrying')),
    checkEveryMs,
  )
  timer.unref()
  return { check, stop: () => clearInterval(timer) }
}

const listDetached = ({ telemetry }: Options) =>
  telemetry.query({
    query: `SELECT table, name, path FROM system.detached_parts WHERE startsWith(reason, 'broken') ORDER BY table, name LIMIT 1000`,
    schema: z.object({ table: z.string(), name: z.string(), path: z.string() }),
  })

/** Paths of the parts named by errors that occurred since the last check. */
async function listSuspects({ telemetry }: Options, checkedErrors: Set<string>): Promise<string[]> {
  const errors = await telemetry.query({
    query: `SELECT name, toString(value) AS times, last_error_message AS message FROM system.errors
      WHERE name IN ({names:Array(String)}) AND position(last_error_message, '/store/') > 0 LIMIT 100`,
    params: { names: damageErrors },
    schema: z.object({ name: z.string(), times: z.string(), message: z.string() }),
  })
  const fresh = errors.filter(({ name, times }) => !checkedErrors.has(`${name} ${times}`))
  for (const { name, times } of fresh) checkedErrors.add(`${name} ${times}`)
  const paths = fresh.flatMap(
    ({ message }) => /\/store\/[0-9a-f]{3}\/[0-9a-f-]{36}\/[^/\s]+\//.exec(message)?.[0] ?? [],
  )
  return [...new Set(paths)]
}

async function removeIfDamaged({ telemetry, dataDir, log }: Options, path: string): Promise<void> {
  const [part] = await telemetry.query({
    query: `SELECT table, name, path, toString(rows) AS rows FROM system.parts WHERE active AND endsWith(path, {path:String}) LIMIT 1`,
    params: { path },
    schema: z.object({ table: z.string(), name: z.string(), path: z.string(), rows: z.string() }),
  })
  if (part === undefined) return // merged or dropped since
  const { table, name, rows } = part
  const checked = await telemetry.query({
    query: `CHECK TABLE ${table} PART '${name}'`,
    settings: { check_query_single_value_result: 0, max_execution_time: 600 },
    schema: z.object({ is_passed: z.coerce.number(), message: z.string() }),
  })
  const fault = checked.find(({ is_passed }) => is_passed === 0)
  if (fault === undefined) return
  // Not DETACH PART: it needs hard links, which the WebAssembly build does not have.
  const kept = join(dataDir, keptFolder, `${table}-${name}`)
  await cp(hostPath(dataDir, part.path), kept, { recursive: true })
  await telemetry.command(`ALTER TABLE ${table} DROP PART '${name}'`)
  log.error(
    { table, part: name, rows: Number(rows), folder: kept, fault: fault.message.slice(0, 300) },
    'telemetry part is damaged; its rows are missing, its files are kept',
  )
}

/** The WebAssembly build mounts the folder under another name, so only the part from `/store/` on is the same. */
const hostPath = (dataDir: string, path: string): string =>
  join(dataDir, 'telemetry', path.slice(path.indexOf('/store/') + 1))

async function rowsIn(folder: string): Promise<number | null> {
  const text = await readFile(join(folder, 'count.txt'), 'utf8').catch(() => '')
  return /^\d+$/.test(text) ? Number(text) : null
}
