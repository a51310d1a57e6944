import { countOf, isObject, numberOf, objectOf, textOf } from '#lib/json-value.ts'
import { clipText } from '#lib/text.ts'
import type { EnvelopeItem } from '#protocol/read-envelope.ts'
import { hasShapes } from '#scrubbing/scrub-text.ts'
import { cleanTree } from '../../normalize/clean-tree.ts'
import { derivedId, readId, readIdOrNone } from '../../normalize/ids.ts'
import { Notes } from '../../notes.ts'
import { scrubOwnFields } from '../../own-rules/scrub-item.ts'
import { addRow } from '../../processed-record.ts'
import { readJsonItem } from '../../read/read-json.ts'
import type { RecordContext } from '../../record-context.ts'
import { count, discard } from '../../record-context.ts'

/** Slugs are part of URLs. */
const maxSlugChars = 100
/** The statuses that a job can send; `missed` and `timeout` are set by the server. */
const statuses = new Set(['in_progress', 'ok', 'error'])
/** The SDKs' default. */
const defaultEnvironment = 'production'

/** A check-in of a cron monitor. An id of zeros means the latest one in progress, and stays zero in the row. */
export function processCheckIn(item: EnvelopeItem, itemIndex: number, context: RecordContext): void {
  const payload = readJsonItem(item, context)
  if (payload === null) return
  const checkIn = payload.value
  if (!isObject(checkIn)) {
    discard(context, item, 'invalid_payload')
    return
  }
  const slug = clipText(textOf(checkIn.monitor_slug).trim(), maxSlugChars)
  if (slug === '') {
    discard(context, item, 'missing_slug')
    return
  }
  const given = textOf(checkIn.status)
  const status = statuses.has(given) ? given : 'unknown'
  if (status !== given) count(context, 'monitor', 'invalid', 'unknown_status', 1)
  const notes = new Notes()
  cleanTree(checkIn, '', hasShapes(payload.text), notes)
  scrubOwnFields(checkIn, context, notes)
  const config = isObject(checkIn.monitor_config) ? JSON.stringify(checkIn.monitor_config) : null
  if (!notes.isEmpty) checkIn._hydrant = notes.toJson()
  const checkInId = readId(checkIn.check_in_id)
  const { projectId, receivedAt: at } = context
  const environment = textOf(checkIn.environment) || defaultEnvironment
  context.out.monitors.push({ projectId, slug, environment, checkInId, status, at, config })
  addRow(context.out, 'check_ins', {
    project_id: context.projectId,
    timestamp: context.receivedAt,
    received_at: context.receivedAt,
    retention_days: context.retentionDays.rest,
    weight: 1,
    check_in_id: checkInId || derivedId(context.recordId, itemIndex),
    monitor_slug: slug,
    status,
    duration_ms: countOf((numberOf(checkIn.duration) ?? 0) * 1e3),
    environment,
    release: textOf(checkIn.release),
    trace_id: readIdOrNone(objectOf(objectOf(checkIn.contexts)?.trace)?.trace_id),
    data: JSON.stringify(checkIn),
  })
}
