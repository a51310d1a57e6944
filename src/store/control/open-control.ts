import type { Control } from './control.ts'
import { openPostgres } from './open-postgres.ts'
import { openSqlite } from './open-sqlite.ts'

export type { Control } from './control.ts'

export type ControlLocation = { dataDir: string; databaseUrl?: string | undefined }

/** PostgreSQL if DATABASE_URL is set, otherwise `control.db` in the data folder, created if missing. */
export function openControl({ dataDir, databaseUrl }: ControlLocation): Control {
  return databaseUrl === undefined ? openSqlite(dataDir) : openPostgres(databaseUrl)
}
