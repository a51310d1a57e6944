import type { Control } from './control.ts'
import { openPostgres } from './open-postgres.ts'
import { openSqlite } from './open-sqlite.ts'

export type { Control } from './control.ts'

export type ControlLocation = { dataDir: string; databaseUrl?: string | undefined }

/** `openControl(config)`: PostgreSQL where a URL is given, else `control.db` in the data folder, which is made if need be. */
export function openControl({ dataDir, databaseUrl }: ControlLocation): Control {
  return databaseUrl === undefined ? openSqlite(dataDir) : openPostgres(databaseUrl)
}
