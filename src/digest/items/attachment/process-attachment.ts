import type { EnvelopeItem } from '#protocol/read-envelope.ts'
import { noId } from '#store/telemetry/rows.ts'
import { nameOf } from '../../normalize/user-hash.ts'
import { scrubOwnText } from '../../own-rules/scrub-item.ts'
import { addRow } from '../../processed-record.ts'
import { sizeOf } from '../../read/read-json.ts'
import type { RecordContext } from '../../record-context.ts'
import { blobKey } from '../../record-context.ts'
import { storedType } from './stored-type.ts'

/** A file that belongs to the envelope's event. Its bytes are stored unchanged as a blob. */
export function processAttachment(item: EnvelopeItem, itemIndex: number, context: RecordContext): void {
  const { filename, content_type, attachment_type } = item.headers
  const key = blobKey('attachment', itemIndex, context)
  context.out.blobs.push({ key, source: item.payload })
  addRow(context.out, 'attachments', {
    project_id: context.projectId,
    event_id: context.eventId || context.out.dedupeId || noId,
    timestamp: context.receivedAt,
    received_at: context.receivedAt,
    retention_days: context.retentionDays.errors,
    weight: 1,
    filename: nameOf(scrubOwnText('filename', filename ?? '', context) || 'attachment'),
    content_type: nameOf(storedType(item.payload, content_type ?? '')),
    attachment_type: nameOf(attachment_type ?? 'event.attachment'),
    size_bytes: sizeOf(item.payload),
    blob: key,
  })
}
