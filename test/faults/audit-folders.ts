import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** After everything is digested there must be no spooled body and no dead letter. */
export async function auditFolders(dataDir: string): Promise<string[]> {
  const spool = await readdir(join(dataDir, 'inbox', 'spool'))
  const dead = await readdir(join(dataDir, 'blobs', 'dead-letters')).catch(() => [])
  return [
    ...spool.map(name => `spool file ${name} was left behind`),
    ...dead.map(day => `there are dead letters of ${day}`),
  ]
}
