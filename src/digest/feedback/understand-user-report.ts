import { isObject, textOf } from '#lib/json-value.ts'
import type { EnvelopeItem } from '#protocol/read-envelope.ts'
import { hasShapes } from '#scrub/scrub-shapes.ts'
import { noId } from '#store/telemetry/rows.ts'
import { addRow } from '../add-row.ts'
import { discard } from '../discard.ts'
import { cleanTree } from '../normalise/clean-tree.ts'
import { derivedId, readIdOrNone } from '../normalise/ids.ts'
import { userHash } from '../normalise/user-hash.ts'
import { Notes } from '../notes.ts'
import { readJsonItem } from '../read/read-json.ts'
import type { RecordContext } from '../record-context.ts'

/** The crash dialog of older SDKs: `{ event_id, name, email, comments }`. */
export function understandUserReport(item: EnvelopeItem, itemIndex: number, context: RecordContext): void {
  const payload = readJsonItem(item, context)
  if (payload === null) return
  const report = payload.value
  if (!isObject(report)) {
    discard(context, item, 'invalid_payload')
    return
  }
  const notes = new Notes()
  cleanTree(report, '', hasShapes(payload.text), notes)
  if (!notes.isEmpty) report._hydrant = notes.toJson()
  addRow(context.out, 'feedback', {
    project_id: context.projectId,
    feedback_id: derivedId(context.recordId, itemIndex),
    timestamp: context.receivedAt,
    received_at: context.receivedAt,
    retention_days: context.retentionDays.errors,
    weight: 1,
    source: 'user_report',
    message: textOf(report.comments),
    contact_email: textOf(report.email),
    contact_name: textOf(report.name),
    url: '',
    associated_event_id: readIdOrNone(report.event_id ?? context.eventId),
    replay_id: noId,
    trace_id: readIdOrNone(context.trace?.trace_id),
    environment: textOf(context.trace?.environment),
    release: textOf(context.trace?.release),
    user_hash: userHash(context.projectId, '', textOf(report.email)),
    data: JSON.stringify(report),
  })
}
