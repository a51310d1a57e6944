/** Names this inbox in batch ids and cursors: two nodes, or a folder that was thrown away and made anew, are never confused. */
import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from './segments.ts'

export async function readInboxId(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  const path = join(folder, 'id')
  const known = await readFile(path, 'utf8').catch(() => '')
  if (/^[0-9a-f]{12}$/.test(known)) return known
  const id = randomBytes(6).toString('hex')
  const handle = await open(path, 'w')
  await handle.writeFile(id)
  await handle.sync()
  await handle.close()
  await syncFolder(folder)
  return id
}
