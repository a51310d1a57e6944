import { derivedId, readId } from './normalise/ids.ts'
import type { RecordContext } from './record-context.ts'

/**
 * The id of an event, transaction or feedback, and with it the record's id for finding duplicates. The envelope's own id counts
 * first, because that is what the SDK was answered with; a second event in one envelope cannot have it too.
 */
export function claimEventId(ownId: unknown, itemIndex: number, context: RecordContext): string {
  const isFirst = context.out.dedupeId === null
  const id = (isFirst ? context.eventId : '') || readId(ownId) || derivedId(context.recordId, itemIndex)
  if (isFirst) context.out.dedupeId = id
  return id
}
