/** Log files whose every record is committed are used again or deleted: the disk comes back as digest goes on. */
import { listSegments } from '#inbox/segments.ts'
import { giveBack } from '#inbox/spare-segment.ts'
import type { Cursor } from './commit-batch.ts'

export async function removeDigested(folder: string, cursor: Cursor): Promise<void> {
  for (const segment of await listSegments(folder)) {
    if (segment < cursor.segment) await giveBack(folder, segment)
  }
}
