import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Nothing may lie about once everything is digested: no body in the spool, no dead letter. */
export async function auditFolders(dataDir: string): Promise<string[]> {
  const spool = await readdir(join(dataDir, 'inbox', 'spool'))
  const dead = await readdir(join(dataDir, 'blobs', 'dead-letters')).catch(() => [])
  return [
    ...spool.map(name => `spool file ${name} was left behind`),
    ...dead.map(day => `there are dead letters of ${day}`),
  ]
}
