/** Compares the stores with what was sent: acknowledged items are stored once, uncertain ones at most once, nothing else is. */
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { z } from 'zod'
import { openBlobs } from '#store/blobs/open-blobs.ts'
import { openControl } from '#store/control/open-control.ts'
import { openTelemetry, type Telemetry } from '#store/telemetry/telemetry.ts'
import { attachmentOf, type Sent } from './envelopes.ts'
import type { Book } from './load.ts'
import type { Stage } from './open-stage.ts'
import type { Scene } from './set-scene.ts'

type Expected = Pick<Book, 'acknowledged' | 'uncertain'>

/** Of a scene in a stage, whose items were all acknowledged. */
export function auditScene(
  { dataDir }: Pick<Stage, 'dataDir'>,
  { projectId, sent }: Scene,
  acknowledged: readonly Sent[] = sent,
): Promise<string[]> {
  return audit(dataDir, projectId, { acknowledged: [...acknowledged], uncertain: [] })
}

/** One sentence per fault; empty when there is none. */
export async function audit(dataDir: string, projectId: number, book: Expected): Promise<string[]> {
  const telemetry = openTelemetry({ kind: 'socket', socketPath: join(dataDir, 'run', 'engine.sock') })
  try {
    const events = await counts(
      telemetry,
      `SELECT toString(event_id) AS id, count() AS n FROM events WHERE project_id = ${projectId} GROUP BY id LIMIT 10000000`,
    )
    const indexed = await counts(
      telemetry,
      `SELECT toString(event_id) AS id, count() AS n FROM event_index WHERE project_id = ${projectId} GROUP BY id LIMIT 10000000`,
    )
    const spans = await counts(
      telemetry,
      `SELECT attributes['mark'] AS id, count() AS n FROM spans WHERE project_id = ${projectId} GROUP BY id LIMIT 10000000`,
    )
    const distinctSpans = await counts(
      telemetry,
      `SELECT attributes['mark'] AS id, uniqExact(span_id) AS n FROM spans WHERE project_id = ${projectId} GROUP BY id LIMIT 10000000`,
    )
    const logs = await counts(
      telemetry,
      `SELECT attributes['mark'] AS id, count() AS n FROM logs WHERE project_id = ${projectId} GROUP BY id LIMIT 10000000`,
    )
    return [
      ...compare('event', events, book, sent => (sent.kind === 'event' ? 1 : null)),
      ...compare('indexed event', indexed, book, sent => (sent.kind === 'event' ? 1 : null)),
      ...compare('span', spans, book, sent => (sent.kind === 'spans' ? sent.count : null)),
      ...compare('distinct span', distinctSpans, book, sent => (sent.kind === 'spans' ? sent.count : null)),
      ...compare('log', logs, book, sent => (sent.kind === 'logs' ? sent.count : null)),
      ...(await auditAttachments(telemetry, dataDir, projectId, book, new Set(events.keys()))),
      ...(await auditControl(telemetry, dataDir, projectId, events.size)),
    ]
  } finally {
    await telemetry.close()
  }
}

function compare(
  what: string,
  found: Map<string, number>,
  book: Expected,
  expected: (sent: Sent) => number | null,
): string[] {
  const faults: string[] = []
  const left = new Map(found)
  for (const sent of book.acknowledged) {
    const wanted = expected(sent)
    if (wanted === null) continue
    const there = left.get(sent.id) ?? 0
    left.delete(sent.id)
    if (there !== wanted) faults.push(`acknowledged ${what} ${sent.id}: ${there} rows instead of ${wanted}`)
  }
  for (const sent of book.uncertain) {
    const wanted = expected(sent)
    if (wanted === null) continue
    const there = left.get(sent.id) ?? 0
    left.delete(sent.id)
    if (there !== wanted && there !== 0)
      faults.push(`uncertain ${what} ${sent.id}: ${there} rows instead of ${wanted} or none`)
  }
  for (const id of left.keys()) faults.push(`${what} ${id}: it was never sent, or it was refused`)
  return faults
}

async function auditAttachments(
  telemetry: Telemetry,
  dataDir: string,
  projectId: number,
  book: Expected,
  events: Set<string>,
): Promise<string[]> {
  const rows = await telemetry.query({
    query: `SELECT toString(event_id) AS id, blob, toUInt32(size_bytes) AS size FROM attachments WHERE project_id = ${projectId} LIMIT 1000000`,
    schema: z.object({ id: z.string(), blob: z.string(), size: z.number() }),
  })
  const byId = Map.groupBy(rows, row => plainId(row.id))
  const blobs = openBlobs({ dataDir, blobsUrl: undefined })
  const faults: string[] = []
  for (const sent of [...book.acknowledged, ...book.uncertain]) {
    if (sent.kind !== 'event' || sent.attachmentBytes === 0 || !events.has(sent.id)) continue
    const [row, ...more] = byId.get(sent.id) ?? []
    const stream = row ? await blobs.read(row.blob) : null
    const bytes = stream ? await buffer(stream) : null
    if (!row || more.length > 0) faults.push(`attachment of ${sent.id}: ${row ? 1 + more.length : 0} rows instead of 1`)
    else if (row.size !== sent.attachmentBytes || !bytes?.equals(attachmentOf(sent.id, sent.attachmentBytes)))
      faults.push(
        `attachment of ${sent.id}: ${bytes?.length ?? 'no'} bytes that differ from the ${sent.attachmentBytes} sent`,
      )
  }
  return faults
}

/** The counters of every hash, the project stats and the seen ids must agree with telemetry. */
async function auditControl(
  telemetry: Telemetry,
  dataDir: string,
  projectId: number,
  eventCount: number,
): Promise<string[]> {
  const control = openControl({ dataDir, databaseUrl: undefined })
  try {
    const rows = await control.db
      .selectFrom('issue_hash')
      .select(['group_hash', 'event_count', 'issue_id'])
      .where('project_id', '=', projectId)
      .execute()
    const counted = new Map(rows.map(row => [row.group_hash, row.event_count]))
    const stored = await counts(
      telemetry,
      `SELECT toString(group_hash) AS id, count() AS n FROM events WHERE project_id = ${projectId} GROUP BY id LIMIT 100000`,
    )
    const faults: string[] = []
    for (const hash of new Set([...counted.keys(), ...stored.keys()])) {
      if (counted.get(hash) !== stored.get(hash))
        faults.push(`hash ${hash}: ${counted.get(hash)} counted, ${stored.get(hash)} stored`)
    }
    const issues = await control.db.selectFrom('issue').select('id').where('project_id', '=', projectId).execute()
    if (issues.length !== new Set(rows.map(row => row.issue_id)).size)
      faults.push(`${issues.length} issues for ${rows.length} hashes`)
    const seen = await control.db
      .selectFrom('seen_event')
      .select('event_id')
      .where('project_id', '=', projectId)
      .execute()
    if (seen.length !== eventCount) faults.push(`${seen.length} event ids seen, ${eventCount} events stored`)
    const stats = await control.db
      .selectFrom('project_stats')
      .select('event_count')
      .where('project_id', '=', projectId)
      .executeTakeFirst()
    if ((stats?.event_count ?? 0) !== eventCount)
      faults.push(`project stats counted ${stats?.event_count}, ${eventCount} events stored`)
    return faults
  } finally {
    await control.close()
  }
}

const plainId = (id: string): string => id.replaceAll('-', '')

async function counts(telemetry: Telemetry, query: string): Promise<Map<string, number>> {
  const rows = await telemetry.query({ query, schema: z.object({ id: z.string(), n: z.coerce.number() }) })
  return new Map(rows.map(row => [plainId(row.id), row.n]))
}
