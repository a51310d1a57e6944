/** Runs recorded requests through digest up to the control database, and adds up what they are on each route. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { commitBatch } from '#digest/commit-batch.ts'
import { filterBatch } from '#digest/filter-batch.ts'
import type { PreparedBatch } from '#digest/prepared-batch.ts'
import { processRecord } from '#digest/process-record.ts'
import type { InboxRecord } from '#inbox/record.ts'
import type { Control } from '#store/control/control.ts'
import { migrateControl } from '#store/control/migrate-control.ts'
import { openControl } from '#store/control/open-control.ts'
import { silentLog } from './contract/on-each-engine.ts'

/** How often a route has had a `measure` or `measure detail`. */
export type RouteCounts = Record<string, Record<string, number>>

/** A server's error is in the batch of the browser's, or it is not found. */
const noTelemetry = { query: () => Promise.resolve([]) }
const project = 42

type Options = {
  /** As digest does it: a batch is prepared while the one before it is not committed. */
  isAhead?: boolean
  /** Writes the rows of a batch. */
  write?: (batch: PreparedBatch) => Promise<void>
  /** After the last batch, with what is left in the control database. */
  finish?: (control: Control) => Promise<void>
}

/** A control database with the project: to make its tables takes longer than most batches. */
let empty: Promise<Buffer> | undefined

async function makeEmpty(): Promise<Buffer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'hydrant-captures-'))
  const control = openControl({ dataDir, databaseUrl: undefined })
  try {
    await migrateControl(control, { dataDir, log: silentLog })
    await addProject(control)
    await control.close()
    return await readFile(join(dataDir, 'control.db'))
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Each list is a batch. All arrive now, because the clock releases errors that wait for others. */
export async function digestCaptures(
  batches: readonly (readonly InboxRecord[])[],
  { isAhead = false, write, finish }: Options = {},
): Promise<RouteCounts> {
  const dataDir = await mkdtemp(join(tmpdir(), 'hydrant-captures-'))
  empty ??= makeEmpty()
  await writeFile(join(dataDir, 'control.db'), await empty)
  const control = openControl({ dataDir, databaseUrl: undefined })
  try {
    const sums = new Map<string, Map<string, number>>()
    const receivedAt = Date.now()
    const prepare = (index: number, previous: PreparedBatch | null, mayHaveArrived: boolean): Promise<PreparedBatch> =>
      filterBatch({
        control,
        telemetry: noTelemetry,
        inboxId: 'inbox',
        seal: { batch: index + 1, segment: 1, start: 0, endSegment: 1, end: index + 1 },
        records: (batches[index] ?? []).map(record => ({
          processed: digestOne(record, index),
          spool: null,
          receivedAt,
        })),
        previous,
        mayHaveArrived,
        isRepeated: () => false,
      })
    let uncommitted: PreparedBatch | null = null
    for (const index of batches.keys()) {
      const batch: PreparedBatch = await prepare(index, uncommitted, false)
      if (uncommitted !== null) await commitBatch(control, 'inbox', uncommitted)
      uncommitted = batch
      // A kill before the commit would repeat this.
      const again = await prepare(index, null, true)
      expect(again.rows).toEqual(batch.rows)
      addSums(sums, batch)
      await write?.(batch)
      if (isAhead) continue
      await commitBatch(control, 'inbox', batch)
      uncommitted = null
    }
    if (uncommitted !== null) await commitBatch(control, 'inbox', uncommitted)
    await finish?.(control)
    return toCounts(sums)
  } finally {
    await control.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function addProject({ db }: Control): Promise<void> {
  await db
    .insertInto('organization')
    .values({ id: 1, slug: 'acme', name: 'acme', created_at: 0 } as never)
    .execute()
  await db
    .insertInto('project')
    .values({ id: project, organization_id: 1, slug: 'web', name: 'web', platform: '', created_at: 0 } as never)
    .execute()
}

const digestOne = (record: InboxRecord, index: number) =>
  processRecord(record, {
    recordId: `inbox:1:${index}-${record.body.length}`,
    retentionDays: { errors: 90, rest: 30 },
    spoolFolder: '',
  })

function addSums(sums: Map<string, Map<string, number>>, { rows }: PreparedBatch): void {
  for (const { route, measure, detail, count } of rows.route_sums) {
    const own = sums.get(route) ?? new Map<string, number>()
    sums.set(route, own)
    const name = `${measure} ${detail}`.trim()
    own.set(name, (own.get(name) ?? 0) + count)
  }
}

const toCounts = (sums: ReadonlyMap<string, ReadonlyMap<string, number>>): RouteCounts =>
  Object.fromEntries(
    [...sums]
      .map(
        ([route, own]) =>
          [route, Object.fromEntries([...own].filter(([, count]) => Math.abs(count) > 1e-6).sort())] as const,
      )
      .filter(([, own]) => Object.keys(own).length > 0)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
