/** Digest itself processes the templates, so seeded rows look exactly like rows from an SDK. */
import { processRecord } from '#digest/process-record.ts'
import type { ProcessedRecord } from '#digest/processed-record.ts'
import { encodeRows, insertColumns } from '#store/telemetry/encode-rows.ts'
import type { Rows } from '#store/telemetry/rows.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { slots } from './browsers.ts'

type TemplateItem = { header: Record<string, unknown>; payload: object }
export type TemplateContext = { projectId: number; retentionDays: { errors: number; rest: number } }

/** As apps in production do: all errors are sent, and a sample of the traces. Else there would be an error in every visit. */
export const tracesSampleRate = 0.02

const trace = {
  trace_id: slots.traceId,
  environment: slots.environment,
  release: slots.release,
  sample_rate: String(tracesSampleRate),
  sampled: 'true',
}

export function processTemplate(
  item: TemplateItem,
  userAgent: string,
  { projectId, retentionDays }: TemplateContext,
): ProcessedRecord {
  const sentAt = new Date(slots.second * 1e3).toISOString()
  const lines = [{ event_id: slots.eventId, sent_at: sentAt, trace }, item.header, item.payload]
  const body = Buffer.from(`${lines.map(line => JSON.stringify(line)).join('\n')}\n`)
  const head = { projectId, keyId: 0, receivedAt: slots.second * 1e3, clientAddress: '203.0.113.7', userAgent }
  const processed = processRecord({ head, body }, { recordId: 'seed', retentionDays, spoolFolder: '' })
  const [fault] = processed.faults
  if (fault) throw new Error(`Digest rejected a template: ${fault.message}`)
  return processed
}

type Seeded = 'events' | 'spans' | 'logs' | 'route_sums'
/** All in one insert would exceed the memory limit of a statement. */
const rowsPerInsert = 1_000

export const templateTable = (table: Seeded): string => `seed_${table}`

/** Loads templates into a table of the engine; `batch_id` holds the key by which a visit finds its template. */
export async function loadTemplates<Table extends Seeded>(
  telemetry: Telemetry,
  table: Table,
  templates: readonly { key: string; row: Rows[Table] }[],
): Promise<void> {
  const name = templateTable(table)
  await telemetry.command(`DROP TABLE IF EXISTS ${name}`)
  await telemetry.command(`CREATE TABLE ${name} AS ${table} ENGINE = MergeTree ORDER BY tuple()`)
  for (let at = 0; at < templates.length; at += rowsPerInsert) {
    const chunk = templates.slice(at, at + rowsPerInsert)
    const body = encodeRows(
      table,
      chunk.map(({ row }) => row),
      chunk.map(({ key }) => key),
    )
    const token = `${name}:${at}`
    const result = await telemetry.insert({ table: name, columns: insertColumns(table), body, token })
    if (result.kind !== 'done') throw new Error(`Inserting the templates of ${table} failed: ${result.message}`)
  }
}

export async function dropTemplates(telemetry: Telemetry): Promise<void> {
  for (const table of ['events', 'spans', 'logs', 'route_sums'] as const)
    await telemetry.command(`DROP TABLE IF EXISTS ${templateTable(table)}`)
}
