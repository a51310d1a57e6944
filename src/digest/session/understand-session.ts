import { isObject } from '#lib/json-value.ts'
import type { EnvelopeItem } from '#protocol/read-envelope.ts'
import { addRow } from '../add-row.ts'
import { discard } from '../discard.ts'
import { readJsonItem } from '../read/read-json.ts'
import type { RecordContext } from '../record-context.ts'
import { aggregateRows } from './aggregate-rows.ts'
import { sessionRow } from './session-row.ts'

/** One update of one session. */
export function understandSession(item: EnvelopeItem, _itemIndex: number, context: RecordContext): void {
  const payload = readJsonItem(item, context)
  if (payload === null) return
  const row = isObject(payload.value) ? sessionRow(payload.value, context) : null
  if (row === null) discard(context, item, 'invalid_payload')
  else addRow(context.out, 'sessions', row)
}

/** Sessions that a server counted by the minute. */
export function understandSessions(item: EnvelopeItem, _itemIndex: number, context: RecordContext): void {
  const payload = readJsonItem(item, context)
  if (payload === null) return
  const rows = isObject(payload.value) ? aggregateRows(payload.value, context) : null
  if (rows === null) discard(context, item, 'invalid_payload')
  else if (rows.length === 0) discard(context, item, 'empty')
  else for (const row of rows) addRow(context.out, 'sessions', row)
}
