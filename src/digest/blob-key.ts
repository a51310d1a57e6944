import { derivedId } from './normalise/ids.ts'
import type { RecordContext } from './record-context.ts'

export type BlobKind = 'attachment' | 'replay' | 'profile'

/** `kind/day/project/name`: retention drops a day's folder. The same key on every repeat, so that a second write changes nothing. */
export function blobKey(kind: BlobKind, itemIndex: number, context: RecordContext): string {
  const day = new Date(context.receivedAt).toISOString().slice(0, 10)
  return `${kind}/${day}/${context.projectId}/${derivedId(context.recordId, itemIndex)}`
}
