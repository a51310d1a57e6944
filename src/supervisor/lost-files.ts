/** Detects a used data folder whose control database or secret is gone. Starting on it would reject every SDK and lock everyone out. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { StartRefusal } from '#lib/start-refusal.ts'
import { loadSecret } from '#store/control/secret.ts'
import { readKeyFile } from './key-cache.ts'

type Folder = { dataDir: string; databaseUrl?: string | undefined; secret?: string | undefined }

/** The reason why Hydrant must not start, or null when nothing is missing. */
export async function describeLostFiles(config: Folder): Promise<string | null> {
  try {
    loadSecret(config)
  } catch (error) {
    if (error instanceof StartRefusal) return error.message
    throw error
  }
  return (await isControlLost(config)) ? lostControl(config.dataDir) : null
}

/** keys.json with keys in it proves that the folder was used before. */
async function isControlLost({ dataDir, databaseUrl }: Folder): Promise<boolean> {
  if (databaseUrl !== undefined) return false
  const found = await stat(join(dataDir, 'control.db')).catch(() => null)
  return (found === null || found.size === 0) && (await readKeyFile(dataDir)).keys.length > 0
}

const lostControl = (dataDir: string): string =>
  `Hydrant cannot start: ${join(dataDir, 'control.db')} is missing or empty, but this folder was used before. Restore it from a backup or from ${join(dataDir, 'control-backups')}, set DATABASE_URL if your control database is PostgreSQL, or delete ${join(dataDir, 'keys.json')} to start with an empty database.`
