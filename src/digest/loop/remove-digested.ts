/** Log files whose every record is committed are deleted: the disk comes back as digest goes on. */
import { rm } from 'node:fs/promises'
import { listSegments, segmentPath } from '#inbox/segments.ts'
import type { Cursor } from './commit-batch.ts'

export async function removeDigested(folder: string, cursor: Cursor): Promise<void> {
  for (const segment of await listSegments(folder)) {
    if (segment < cursor.segment) await rm(segmentPath(folder, segment), { force: true })
  }
}
