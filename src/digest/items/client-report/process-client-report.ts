import { countOf, isObject, textOf } from '#lib/json-value.ts'
import type { OutcomeKind } from '#lib/outcome.ts'
import { clipText } from '#lib/text.ts'
import type { EnvelopeItem } from '#protocol/read-envelope.ts'
import { Notes } from '../../notes.ts'
import { readJsonItem } from '../../read/read-json.ts'
import type { RecordContext } from '../../record-context.ts'
import { count, discard, itemTimeMs } from '../../record-context.ts'

/** The lists of a report. SDKs send the first, Relay the others. */
const lists: [string, OutcomeKind][] = [
  ['discarded_events', 'client_discard'],
  ['rate_limited_events', 'rate_limited'],
  ['filtered_events', 'filtered'],
  ['filtered_sampling_events', 'filtered'],
]
/** Category and reason are words in LowCardinality columns. */
const maxWordChars = 64

/** Items that the SDK discarded, as outcomes. */
export function processClientReport(item: EnvelopeItem, _itemIndex: number, context: RecordContext): void {
  const payload = readJsonItem(item, context)
  if (payload === null) return
  const report = payload.value
  if (!isObject(report)) {
    discard(context, item, 'invalid_payload')
    return
  }
  const at = Math.round(itemTimeMs(report.timestamp, 'timestamp', context, new Notes()))
  let counted = 0
  for (const [list, kind] of lists) {
    const entries = report[list]
    if (Array.isArray(entries)) counted += countEntries(entries, kind, at, context)
  }
  if (counted === 0) discard(context, item, 'empty')
}

function countEntries(entries: unknown[], kind: OutcomeKind, at: number, context: RecordContext): number {
  let counted = 0
  for (const entry of entries) {
    if (!isObject(entry)) continue
    const quantity = countOf(entry.quantity)
    if (quantity === 0) continue
    const category = clipText(textOf(entry.category), maxWordChars) || 'default'
    count(context, category, kind, clipText(textOf(entry.reason), maxWordChars) || 'unknown', quantity, at)
    counted++
  }
  return counted
}
