/** Files without which Hydrant would begin anew on a folder that was used: SDKs would be refused, and nobody could sign in. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { StartRefusal } from '#lib/start-refusal.ts'
import { loadSecret } from '#store/control/secret.ts'
import { readKeyFile } from './key-file.ts'

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
