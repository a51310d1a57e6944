/** The limit of digest: rows that are ready as bytes or as text, put into a table of the same shape in the same engine. */
import { processRecord } from '#digest/process-record.ts'
import { encodeRows, insertColumns } from '#store/telemetry/encode-rows.ts'
import type { Rows } from '#store/telemetry/rows.ts'
import { openTelemetry, telemetryAddress } from '#store/telemetry/telemetry.ts'
import { freshen, templateBody } from './template-body.ts'

/** Rows to an insert: three times what digest has in a batch, since a limit may choose its size. */
const rowsPerInsert = 10_000
const context = { recordId: 'bench', retentionDays: { errors: 90, rest: 30 }, spoolFolder: '' }

type Table = 'spans' | 'events'
type Form = 'JSON' | 'Native'

export async function bareInsertPerSecond(
  dataDir: string,
  form: Form,
  table: Table,
  body: Buffer,
  envelopes: number,
): Promise<number> {
  const telemetry = openTelemetry(telemetryAddress({ dataDir, clickhouseUrl: process.env.CLICKHOUSE_URL }))
  await telemetry.command(`CREATE TABLE bench_${table} AS ${table}`)
  let inserted = 0
  let seconds = 0
  try {
    let waiting: Rows[Table][] = []
    for (let serial = 1; serial <= envelopes; serial++) {
      waiting.push(...rowsOf(table, body, 0x1000_0000 + serial))
      if (waiting.length < rowsPerInsert && serial < envelopes) continue
      const rows = form === 'Native' ? encodeRows(table, waiting, 'bench') : asJson(table, waiting)
      const begun = performance.now()
      const result = await telemetry.insert({
        table: `bench_${table}`,
        columns: insertColumns(table),
        body: rows,
        token: `bench:${form}:${serial}`,
      })
      if (result.kind !== 'done') throw new Error(result.message)
      seconds += (performance.now() - begun) / 1e3
      inserted += waiting.length
      waiting = []
    }
  } finally {
    await telemetry.command(`DROP TABLE bench_${table}`)
    await telemetry.close()
  }
  return inserted / seconds
}

/** As any client would send them. */
function asJson<Name extends Table>(table: Name, rows: readonly Rows[Name][]): string {
  const names = insertColumns(table).slice(0, -1) as (keyof Rows[Name])[]
  return rows.map(row => `${JSON.stringify([...names.map(name => row[name]), 'bench'])}\n`).join('')
}

function rowsOf(table: Table, body: Buffer, serial: number): readonly Rows[Table][] {
  const template = templateBody(body)
  freshen(template, serial)
  const head = { projectId: 1, keyId: 1, receivedAt: Date.now(), clientAddress: '127.0.0.1', userAgent: '' }
  return processRecord({ head, body: template.bytes }, context).rows[table] ?? []
}
