/**
 * Parts of the embedded engine's tables whose files were changed on disk. One that the engine cannot open at start is put aside by it
 * without a word; one that it opens fails each query that reads it, and each merge, for good. Both are found here: the first by the
 * engine's list, the second by the errors that it counts and a check of the part they name, which is then copied and dropped.
 */
import { cp, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { Gauge } from '#lib/prometheus.ts'
import { StartRefusal } from '#lib/start-refusal.ts'
import { loadSecret } from '#store/control/secret.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { readKeyFile } from './key-cache.ts'

type Options = { telemetry: Telemetry; dataDir: string; log: Logger; metrics: { telemetryDamagedParts: Gauge } }

type DamagedParts = { check(): Promise<void>; stop(): void }

const checkEveryMs = 60_000
/** What a changed byte, a cut file or a missing one leads to. A check reads its whole part, so other errors are no reason for one. */
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
  const putAside = await listPutAside(options)
  for (const { table, name, path } of putAside) {
    const folder = hostPath(dataDir, path)
    log.error(
      { table, part: name, rows: await rowsIn(folder), folder },
      'a part of telemetry is damaged; its rows are missing, its files are kept',
    )
  }
  const known = new Set<string>()
  const tell = async () =>
    metrics.telemetryDamagedParts.set(
      putAside.length + (await readdir(join(dataDir, keptFolder)).catch(() => [])).length,
    )
  const check = async (): Promise<void> => {
    for (const path of await listSuspects(options, known)) await removeIfDamaged(options, path)
    await tell()
  }
  await tell()
  const timer = setInterval(
    () => check().catch(error => log.warn({ error: String(error) }, 'parts of telemetry could not be checked')),
    checkEveryMs,
  )
  timer.unref()
  return { check, stop: () => clearInterval(timer) }
}

const listPutAside = ({ telemetry }: Options) =>
  telemetry.query({
    query: `SELECT table, name, path FROM system.detached_parts WHERE startsWith(reason, 'broken') ORDER BY table, name LIMIT 1000`,
    schema: z.object({ table: z.string(), name: z.string(), path: z.string() }),
  })

/** The paths of parts that errors name which happened since the last time. */
async function listSuspects({ telemetry }: Options, known: Set<string>): Promise<string[]> {
  const errors = await telemetry.query({
    query: `SELECT name, toString(value) AS times, last_error_message AS message FROM system.errors
      WHERE name IN ({names:Array(String)}) AND position(last_error_message, '/store/') > 0 LIMIT 100`,
    params: { names: damageErrors },
    schema: z.object({ name: z.string(), times: z.string(), message: z.string() }),
  })
  const fresh = errors.filter(({ name, times }) => !known.has(`${name} ${times}`))
  for (const { name, times } of fresh) known.add(`${name} ${times}`)
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
  // The WebAssembly build has no hard links, which the engine would need to put a part aside itself.
  const kept = join(dataDir, keptFolder, `${table}-${name}`)
  await cp(hostPath(dataDir, part.path), kept, { recursive: true })
  await telemetry.command(`ALTER TABLE ${table} DROP PART '${name}'`)
  log.error(
    { table, part: name, rows: Number(rows), folder: kept, fault: fault.message.slice(0, 300) },
    'a part of telemetry is damaged; its rows are missing, its files are kept',
  )
}

/** The WebAssembly build knows the folder under another name. */
const hostPath = (dataDir: string, path: string): string =>
  join(dataDir, 'telemetry', path.slice(path.indexOf('/store/') + 1))

async function rowsIn(folder: string): Promise<number | null> {
  const text = await readFile(join(folder, 'count.txt'), 'utf8').catch(() => '')
  return /^\d+$/.test(text) ? Number(text) : null
}

/* Files without which Hydrant would begin anew on a folder that was used: SDKs would be refused, and nobody could sign in. */

type Folder = { dataDir: string; databaseUrl?: string | undefined; secret?: string | undefined }

/** Why Hydrant must not start, in one sentence; null where nothing is lost. */
export async function describeLostFiles(config: Folder): Promise<string | null> {
  try {
    loadSecret(config)
  } catch (error) {
    if (error instanceof StartRefusal) return error.message
    throw error
  }
  return (await isControlLost(config)) ? lostControl(config.dataDir) : null
}

/** The keys of the last run tell that there was one. */
async function isControlLost({ dataDir, databaseUrl }: Folder): Promise<boolean> {
  if (databaseUrl !== undefined) return false
  const found = await stat(join(dataDir, 'control.db')).catch(() => null)
  return (found === null || found.size === 0) && (await readKeyFile(dataDir)).keys.length > 0
}

const lostControl = (dataDir: string): string =>
  `Hydrant cannot start: ${join(dataDir, 'control.db')} is missing or empty, but this folder was used before. Put the newest copy from ${join(dataDir, 'control-backups')} or a backup in its place, set DATABASE_URL if PostgreSQL held it, or delete ${join(dataDir, 'keys.json')} to begin with an empty one.`
