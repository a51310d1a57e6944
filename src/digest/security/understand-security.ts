/** Reports that browsers send by themselves become events: a policy that blocks something is a problem like any other. */
import { isObject, type JsonObject, textOf } from '#lib/json-value.ts'
import type { EnvelopeItem } from '#protocol/read-envelope.ts'
import { hasShapes } from '#scrub/scrub-shapes.ts'
import { discard } from '../discard.ts'
import { addEvent } from '../event/add-event.ts'
import { cleanEvent } from '../event/clean-event.ts'
import { normaliseEvent } from '../event/normalise-event.ts'
import { derivedId } from '../normalise/ids.ts'
import { Notes } from '../notes.ts'
import { readJsonItem } from '../read/read-json.ts'
import type { RecordContext } from '../record-context.ts'
import { describeReport } from './describe-report.ts'

export function understandSecurity(item: EnvelopeItem, itemIndex: number, context: RecordContext): void {
  const payload = readJsonItem(item, context)
  if (payload === null) return
  const reports = Array.isArray(payload.value) ? payload.value : [payload.value]
  const mayHaveShapes = hasShapes(payload.text)
  let unusable = 0
  reports.forEach((report, ordinal) => {
    if (isObject(report))
      addReport(report, item, derivedId(context.recordId, itemIndex, ordinal), mayHaveShapes, context)
    else unusable++
  })
  if (unusable > 0 || reports.length === 0) discard(context, item, 'invalid_payload', unusable)
}

function addReport(
  report: JsonObject,
  item: EnvelopeItem,
  eventId: string,
  mayHaveShapes: boolean,
  context: RecordContext,
): void {
  const { kind, title, fingerprint, url, tags, ageMs, userAgent } = describeReport(report)
  const notes = new Notes()
  const raw: JsonObject = {
    timestamp: (context.receivedAt - context.clockShiftMs - ageMs) / 1e3,
    platform: 'javascript',
    level: 'error',
    logger: kind,
    logentry: { message: title },
    fingerprint,
    tags,
    report,
    environment: textOf(item.headers.sentry_environment) || undefined,
    release: textOf(item.headers.sentry_release) || undefined,
    request: { url, headers: { 'User-Agent': userAgent || context.userAgent } },
  }
  const event = normaliseEvent(raw, eventId, context, notes)
  cleanEvent(event, mayHaveShapes, notes)
  addEvent(event, kind, notes, context)
}
