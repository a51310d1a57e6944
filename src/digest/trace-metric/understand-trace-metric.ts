import type { EnvelopeItem } from '#protocol/read-envelope.ts'
import { addRow } from '../add-row.ts'
import { discard } from '../discard.ts'
import { readContainer } from '../read/read-container.ts'
import type { RecordContext } from '../record-context.ts'
import { metricRow } from './metric-row.ts'

export function understandTraceMetric(item: EnvelopeItem, _itemIndex: number, context: RecordContext): void {
  const container = readContainer(item, context)
  if (container === null) return
  let unusable = 0
  for (const entry of container.entries) {
    const row = metricRow(entry, container, context)
    if (row === null) unusable++
    else addRow(context.out, 'metrics', row)
  }
  if (unusable > 0) discard(context, item, 'invalid_payload', unusable)
}
