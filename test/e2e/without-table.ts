import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Hydrant } from '../start-hydrant.ts'

/** Pages that read the table fail meanwhile. It is back even if the work throws: the next file may borrow the same Hydrant. */
export async function withoutTable<Result>(
  { dataDir }: Pick<Hydrant, 'dataDir'>,
  table: string,
  work: () => Promise<Result>,
): Promise<Result> {
  renameTable(dataDir, table, `${table}_gone`)
  try {
    return await work()
  } finally {
    renameTable(dataDir, `${table}_gone`, table)
  }
}

function renameTable(dataDir: string, from: string, to: string): void {
  const control = new Database(join(dataDir, 'control.db'))
  try {
    control.exec(`ALTER TABLE ${from} RENAME TO ${to}`)
  } finally {
    control.close()
  }
}
