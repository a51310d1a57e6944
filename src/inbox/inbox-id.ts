/**
 * Names this inbox in batch ids and cursors: two nodes, or a folder that was thrown away and made anew, are never confused. An inbox
 * that loses its name would digest what is already stored a second time, so a damaged name is found again or Hydrant does not start.
 */
import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { StartRefusal } from '#lib/start-refusal.ts'
import { type Committed, readBatchRange } from './seals.ts'
import { listSegments, segmentPath, syncFolder } from './segments.ts'

/** How far each inbox is, by the control database; null while that does not answer. */
export type ListCursors = () => Promise<(Committed & { inboxId: string })[] | null>

type InboxId = { id: string; isRestored: boolean }

export async function readInboxId(folder: string, listCursors: ListCursors): Promise<InboxId> {
  await mkdir(folder, { recursive: true })
  const path = join(folder, 'id')
  const written = await readWritten(path)
  if (written?.isChecked) return { id: written.id, isRestored: false }
  const id = await decideId(folder, written?.id ?? null, listCursors)
  await writeId(folder, path, id)
  return { id, isRestored: written?.id !== id && (await listSegments(folder)).length > 0 }
}

/** `unchecked` was written by a version without checksums: it is believed unless the control database knows better. */
async function decideId(folder: string, unchecked: string | null, listCursors: ListCursors): Promise<string> {
  const isNew = (await listSegments(folder)).length === 0
  const fresh = randomBytes(6).toString('hex')
  if (isNew) return unchecked ?? fresh
  const cursors = await listCursors()
  if (unchecked !== null && (cursors === null || cursors.some(({ inboxId }) => inboxId === unchecked))) return unchecked
  const fitting: string[] = []
  for (const cursor of cursors ?? []) if (await isFitting(folder, cursor)) fitting.push(cursor.inboxId)
  const [only, ...others] = fitting
  if (only !== undefined && others.length === 0) return only
  if (unchecked !== null) return unchecked
  // Nothing was ever sealed, so nothing carries the old name.
  if (cursors !== null && fitting.length === 0 && ((await readBatchRange(folder))?.last ?? 0) === 0) return fresh
  throw new StartRefusal(refusal(folder, cursors === null, fitting))
}

/** The cursor's file is given back only when the cursor is in a later one; and the seals know the cursor's batch. */
async function isFitting(folder: string, { batch, segment, position }: Committed): Promise<boolean> {
  const found = await stat(segmentPath(folder, segment)).catch(() => null)
  if (found === null || found.size < position) return false
  const range = await readBatchRange(folder)
  return range === null || (batch >= range.committed && batch <= range.last)
}

function refusal(folder: string, isControlAway: boolean, fitting: string[]): string {
  const path = join(folder, 'id')
  const begin = `Hydrant cannot start: ${path}, which names this inbox, is damaged or missing`
  if (isControlAway)
    return `${begin}, and the control database that knows it does not answer. Start again when it does, or restore the file from a backup.`
  if (fitting.length > 1)
    return `${begin}, and the control database knows several inboxes that it may be. Write the id of this one into the file: ${fitting.join(' or ')}.`
  return `${begin}, and the control database does not know this inbox. Restore the file from a backup, or move ${folder} away and start again; events that were not digested stay in the moved folder.`
}

async function readWritten(path: string): Promise<{ id: string; isChecked: boolean } | null> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const [, id, checksum] = /^([0-9a-f]{12})(?: ([0-9a-f]+))?\s*$/.exec(text) ?? []
  if (id === undefined) return null
  if (checksum === undefined) return { id, isChecked: false }
  return checksum === checksumOf(id) ? { id, isChecked: true } : null
}

async function writeId(folder: string, path: string, id: string): Promise<void> {
  const handle = await open(`${path}.new`, 'w', 0o600)
  try {
    await handle.writeFile(`${id} ${checksumOf(id)}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(`${path}.new`, path)
  await syncFolder(folder)
}

const checksumOf = (id: string): string => crc32(id).toString(16)
