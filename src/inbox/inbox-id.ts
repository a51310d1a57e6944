/**
 * The id of this inbox in batch ids and cursors. It tells nodes apart, and a new folder from a deleted one. An inbox without its id
 * would digest stored records a second time, so a damaged id is restored from the control database, or Hydrant does not start.
 */
import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { StartRefusal } from '#lib/start-refusal.ts'
import { type Committed, readBatchRange } from './seals.ts'
import { listSegments, segmentPath, syncFolder } from './segments.ts'

/** The cursors in the control database; null while it cannot be reached. */
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

/** `unchecked` was written by a version without checksums: it is used unless the control database knows a better one. */
async function decideId(folder: string, unchecked: string | null, listCursors: ListCursors): Promise<string> {
  const isNew = (await listSegments(folder)).length === 0
  const fresh = randomBytes(6).toString('hex')
  if (isNew) return unchecked ?? fresh
  const cursors = await listCursors()
  if (unchecked !== null && (cursors === null || cursors.some(({ inboxId }) => inboxId === unchecked))) return unchecked
  const matching: string[] = []
  for (const cursor of cursors ?? []) if (await isMatching(folder, cursor)) matching.push(cursor.inboxId)
  const [only, ...others] = matching
  if (only !== undefined && others.length === 0) return only
  if (unchecked !== null) return unchecked
  // Nothing was ever sealed, so nothing refers to the old id.
  if (cursors !== null && matching.length === 0 && ((await readBatchRange(folder))?.last ?? 0) === 0) return fresh
  throw new StartRefusal(refusal(folder, cursors === null, matching))
}

/** A segment is only freed when the cursor is in a later one, and the seals know the batch of the cursor. */
async function isMatching(folder: string, { batch, segment, position }: Committed): Promise<boolean> {
  const found = await stat(segmentPath(folder, segment)).catch(() => null)
  if (found === null || found.size < position) return false
  const range = await readBatchRange(folder)
  return range === null || (batch >= range.committed && batch <= range.last)
}

function refusal(folder: string, isControlAway: boolean, matching: string[]): string {
  const path = join(folder, 'id')
  const begin = `Hydrant cannot start: ${path}, the id of this inbox, is damaged or missing`
  if (isControlAway)
    return `${begin}, and the control database, which knows it, cannot be reached. Start again when it can, or restore the file from a backup.`
  if (matching.length > 1)
    return `${begin}, and several inboxes in the control database match. Write the id of this one into the file: ${matching.join(' or ')}.`
  return `${begin}, and no inbox in the control database matches. Restore the file from a backup, or move ${folder} away and start again; events that were not digested stay in the moved folder.`
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
