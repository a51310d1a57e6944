/**
 * Mirrors issue states from control into telemetry's `issue_state`, from the change log. A row's version is the position in the log
 * up to which it is right: whatever order writes arrive in, the newest state wins, and a write may be repeated.
 */

import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { chunksOf } from '#lib/ascending-chunks.ts'
import type { Control } from '#store/control/control.ts'
import { mirrorReader } from '#store/control/request-reconciliation.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import {
  beginCursor,
  findCursor,
  hasChangesAfter,
  moveChangeCursor,
  placeChanges,
  type ReadChange,
  readChanges,
  readHead,
  skipBeyond,
} from '../change-log/read-changes.ts'
import {
  type MirrorColumn,
  type MirrorRow,
  mirrorColumns,
  readAllMirrorRows,
  readMirrorRows,
  readRowsOfHashes,
} from './mirror-rows.ts'

type Stores = { control: Control; telemetry: Telemetry }
type Options = {
  now: () => number
  /** Asked between two portions; false ends the work, and the next run continues. */
  mayGoOn: () => Promise<boolean>
}

/** The main process accepts events meanwhile: each portion takes it some milliseconds. */
const changesAtOnce = 1_000
const rowsPerInsert = 5_000

/** Writes what has changed since the cursor, or everything if there is none. Gives the number of changes. */
export async function catchUpMirror(stores: Stores, options: Options): Promise<number> {
  const { control } = stores
  await placeChanges(control)
  let cursor = await findCursor(control, mirrorReader)
  if (cursor === null) {
    await sweepMirror(stores, options)
    cursor = await findCursor(control, mirrorReader)
    if (cursor === null) return 0
  }
  for (let done = 0; ; ) {
    const changes = await readChanges(control, cursor, changesAtOnce)
    const last = changes.at(-1)
    if (last === undefined || !(await options.mayGoOn())) return done
    await writeRows(stores.telemetry, await currentRows(control, changes), last.position)
    await moveChangeCursor(control, mirrorReader, last.position, options.now())
    cursor = last.position
    done += changes.length
  }
}

/** Whether there is something to write; reads only, so that an idle node takes no lock. */
export async function isMirrorBehind(control: Control): Promise<boolean> {
  const cursor = await findCursor(control, mirrorReader)
  return cursor === null || (await hasChangesAfter(control, cursor))
}

/** Without a cursor the next run sweeps. */
export async function requestSweep({ db }: Control): Promise<void> {
  await db.deleteFrom('change_cursor').where('reader', '=', mirrorReader).execute()
}

type StateRow = Record<MirrorColumn, string | number> & { is_deleted: 0 | 1 }

/** The rows of the changed issues as they are now. Later changes have their own rows in the log and are written again. */
async function currentRows({ db }: Control, changes: readonly ReadChange[]): Promise<StateRow[]> {
  const rows = new Map<string, StateRow>()
  const add = (row: MirrorRow) => rows.set(keyOf(row), { ...row, is_deleted: 0 })
  const issueIds = changes.map(({ issueId }) => issueId)
  for (const row of await readMirrorRows(() => db.selectFrom('issue_hash'), issueIds)) add(row)
  const gone = changes.flatMap(({ projectId, detail }) =>
    (detail.hashes ?? []).map(hash => ({ project_id: projectId, group_hash: hash })),
  )
  for (const [projectId, group] of Map.groupBy(gone, ({ project_id }) => project_id)) {
    const hashes = group.map(({ group_hash }) => group_hash)
    for (const row of await readRowsOfHashes(db, projectId, hashes)) add(row)
  }
  for (const hash of gone) if (!rows.has(keyOf(hash))) rows.set(keyOf(hash), deleted(hash))
  return [...rows.values()]
}

type HashKey = Pick<MirrorRow, 'project_id' | 'group_hash'>

const keyOf = ({ project_id, group_hash }: HashKey): string => `${project_id}:${group_hash}`

const deleted = ({ project_id, group_hash }: HashKey): StateRow => ({
  project_id,
  group_hash,
  issue_id: 0,
  number: 0,
  status: '',
  substatus: '',
  assignee: '',
  priority: '',
  level: '',
  is_unhandled: 0,
  title: '',
  culprit: '',
  first_seen: 0,
  kind: '',
  impact: 0,
  is_deleted: 1,
})

/**
 * Writes every hash again and marks all others as deleted: the repair after an upgrade or a restored database. It begins beyond every
 * version in telemetry, so that a log that a restore has set back is ahead of it again.
 */
export async function sweepMirror({ control, telemetry }: Stores, { now, mayGoOn }: Options): Promise<void> {
  const version = await skipBeyond(control, await readNewestVersion(telemetry))
  let pending: StateRow[] = []
  for await (const rows of readAllMirrorRows(control.db)) {
    for (const row of rows) pending.push({ ...row, is_deleted: 0 })
    if (pending.length < rowsPerInsert) continue
    if (!(await mayGoOn())) return
    await writeRows(telemetry, pending, version)
    pending = []
  }
  await writeRows(telemetry, pending, version)
  for await (const hashes of readOlderHashes(telemetry, version)) {
    if (!(await mayGoOn())) return
    await writeRows(telemetry, hashes.map(deleted), version)
  }
  await beginCursor(control, mirrorReader, version, now())
}

/** Whether telemetry has states from a later time than control: then control was restored from a backup. */
export async function isAheadOfLog({ control, telemetry }: Stores): Promise<boolean> {
  const newest = await readNewestVersion(telemetry)
  return newest > (await readHead(control))
}

async function readNewestVersion(telemetry: Telemetry): Promise<number> {
  const [row] = await telemetry.query({
    query: 'SELECT max(version) AS version FROM issue_state LIMIT 1',
    schema: z.object({ version: z.coerce.number() }),
  })
  return row?.version ?? 0
}

const hashRow = z.object({ project_id: z.coerce.number(), group_hash: z.string() })

async function* readOlderHashes(telemetry: Telemetry, version: number): AsyncGenerator<HashKey[]> {
  for (let last: HashKey | undefined, isFirst = true; isFirst || last; isFirst = false) {
    const rows: HashKey[] = await telemetry.query({
      query: `
        SELECT project_id, toString(group_hash) AS group_hash FROM issue_state FINAL
        WHERE is_deleted = 0 AND version < {version:UInt64} AND (project_id, toString(group_hash)) > ({project:UInt64}, {hash:String})
        ORDER BY project_id, group_hash
        LIMIT {limit:UInt32}`,
      params: { version, project: last?.project_id ?? 0, hash: last?.group_hash ?? '', limit: rowsPerInsert },
      schema: hashRow,
    })
    yield rows
    last = rows.length === rowsPerInsert ? rows.at(-1) : undefined
  }
}

const columns = Object.keys(mirrorColumns) as MirrorColumn[] // as it is written above

async function writeRows(telemetry: Telemetry, rows: readonly StateRow[], version: number): Promise<void> {
  for (const chunk of chunksOf(rows, rowsPerInsert)) {
    const body = chunk
      .map(row => JSON.stringify([...columns.map(column => row[column]), row.is_deleted, version]))
      .join('\n')
    const insert = { table: 'issue_state', columns: [...columns, 'is_deleted', 'version'], body, token: randomUUID() }
    const result = await telemetry.insert(insert)
    if (result.kind !== 'done') throw new Error(`Couldn't write issue states to telemetry: ${result.message}`)
  }
}
