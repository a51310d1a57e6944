import type { EnvelopeItem } from '#protocol/read-envelope.ts'
import { addRow } from '../add-row.ts'
import { discard } from '../discard.ts'
import { derivedId } from '../normalise/ids.ts'
import { readContainer } from '../read/read-container.ts'
import type { RecordContext } from '../record-context.ts'
import { logRow } from './log-row.ts'

export function understandLog(item: EnvelopeItem, itemIndex: number, context: RecordContext): void {
  const container = readContainer(item, context)
  if (container === null) return
  let unusable = 0
  container.entries.forEach((entry, ordinal) => {
    const row = logRow(entry, derivedId(context.recordId, itemIndex, ordinal), container, context)
    if (row === null) unusable++
    else addRow(context.out, 'logs', row)
  })
  if (unusable > 0) discard(context, item, 'invalid_payload', unusable)
}
