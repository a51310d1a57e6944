import { objectOf } from '#lib/json-value.ts'
import type { EnvelopeItem } from '#protocol/read-envelope.ts'
import { addRow } from '../add-row.ts'
import { discard } from '../discard.ts'
import { type Container, readContainer } from '../read/read-container.ts'
import type { RecordContext } from '../record-context.ts'
import { legacySpanRow, type Parent } from './legacy-span-row.ts'
import { streamedSpanRow } from './streamed-span-row.ts'

/** A v2 container of streamed spans, or one span of an older browser SDK, alone. */
export function understandSpan(item: EnvelopeItem, _itemIndex: number, context: RecordContext): void {
  const container = readContainer(item, context)
  if (container === null) return
  let unusable = 0
  for (const span of container.entries) {
    const row = container.isSingle
      ? legacySpanRow(span, standaloneParent(span, context), container.mayHaveShapes, context)
      : rowOf(span, container, context)
    if (row === null) unusable++
    else addRow(context.out, 'spans', row)
  }
  if (unusable > 0) discard(context, item, 'invalid_payload', unusable)
}

const rowOf = (span: unknown, { settings, mayHaveShapes }: Container, context: RecordContext) =>
  streamedSpanRow(span, settings, mayHaveShapes, context)

/** Browsers sent interactions alone, with the facts of their page in `data` under short names. */
function standaloneParent(span: unknown, { sdk, trace }: RecordContext): Parent {
  const data = objectOf(objectOf(span)?.data)
  return {
    platform: 'javascript',
    inherited: {
      release: data?.release ?? trace?.release,
      environment: data?.environment ?? trace?.environment,
      segmentName: data?.transaction ?? trace?.transaction,
      replayId: data?.replay_id ?? trace?.replay_id,
      sdkName: sdk?.name,
      sdkVersion: sdk?.version,
    },
  }
}
