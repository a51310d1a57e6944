/** Predicts rows per table, items and outcomes of accepted bodies by processing their records. */
import { itemLabel } from '#digest/prepared-batch.ts'
import { processRecord } from '#digest/process-record.ts'
import { readEnvelope } from '#protocol/read-envelope.ts'
import type { TableName } from '#store/telemetry/rows.ts'
import { joinEnvelope } from './envelopes.ts'

export type Prediction = {
  rows: Map<string, number>
  items: Map<string, number>
  /** By reason. */
  outcomes: Map<string, number>
  faults: number
  /** Bodies must be in the order of their acknowledgement: the first delivery of an event counts. */
  add(projectId: number, body: Buffer): void
}

export function createPrediction(): Prediction {
  const seen = new Set<string>()
  const [rows, items, outcomes] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()]
  let number = 0
  let faults = 0
  const add = (sums: Map<string, number>, key: string, quantity: number) =>
    sums.set(key, (sums.get(key) ?? 0) + quantity)
  return {
    rows,
    items,
    outcomes,
    get faults() {
      return faults
    },
    add: (projectId, body) => {
      const processed = predict(projectId, body, ++number)
      for (const [type, count] of processed.items) add(items, itemLabel(type), count)
      const dedupeKey = processed.dedupeId === null ? null : `${projectId}:${processed.dedupeId}`
      if (dedupeKey !== null && seen.has(dedupeKey)) return add(outcomes, 'duplicate', 1)
      if (dedupeKey !== null) seen.add(dedupeKey)
      for (const table of Object.keys(processed.rows) as TableName[])
        add(rows, table, processed.rows[table]?.length ?? 0)
      for (const { reason, quantity } of processed.outcomes) add(outcomes, reason, quantity)
      faults += processed.faults.length
    },
  }
}

const predict = (projectId: number, body: Buffer, number: number) =>
  processRecord(
    { head: { projectId, keyId: 1, receivedAt: Date.now(), clientAddress: '127.0.0.1', userAgent: '' }, body },
    { recordId: `predicted:${number}`, retentionDays: { errors: 90, rest: 30 }, spoolFolder: '/nowhere' },
  )

/** Items that, alone in their envelope, leave neither a row nor an outcome. */
export function unexplainedItems(body: Buffer): string[] {
  const { items } = readEnvelope(body)
  return items.flatMap(({ headers: itemHeaders, payload }) => {
    if (payload.kind !== 'bytes') return []
    // Only these headers: others may be nested too deep for JSON.stringify.
    const { type, item_count, content_type, filename } = itemHeaders
    const alone = joinEnvelope({}, [[{ type, item_count, content_type, filename }, payload.bytes]])
    const { rows, outcomes, faults, blobs } = predict(1, alone, 0)
    const isExplained =
      Object.values(rows).some(list => list.length > 0) || outcomes.length + faults.length + blobs.length > 0
    return isExplained ? [] : [`${type} ${payload.bytes.subarray(0, 200).toString()}`]
  })
}
