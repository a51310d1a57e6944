/**
 * Reads issue states from the mirror in telemetry as they are in control at this moment: issues whose changes the mirror does not
 * have yet are replaced by their current rows. So a member's next read shows their own change, and no read writes.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { unscopedStores } from '#domain/access/unscoped-stores.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import { type Bind, bindArray } from '#domain/events/event-condition.ts'
import { mirrorReader } from '#store/control/request-reconciliation.ts'
import type { ScopedControl } from '#store/control/scoped-control.ts'
import { findCursor } from '../change-log/read-changes.ts'
import { type MirrorColumn, type MirrorRow, mirrorColumns, readMirrorRows } from './mirror-rows.ts'

/** The issues that the mirror has not caught up with, and their rows. */
export type PendingStates = { issueIds: number[]; rows: MirrorRow[] }
export const noPendingStates: PendingStates = { issueIds: [], rows: [] }

/** Twice what one command may change. A query carries their rows: some megabytes. */
const maxPending = 20_000
const pollMs = 100
const waitMs = 20_000

/** Waits for the mirror while too much is pending, or while it is swept after an upgrade. */
export async function readPendingStates(
  viewer: Pick<Viewer, 'control'>,
  projectIds?: readonly number[],
  { maxIssues = maxPending, timeoutMs = waitMs } = {},
): Promise<PendingStates> {
  const control = viewer.control.within(projectIds)
  for (const begun = performance.now(); ; await sleep(pollMs)) {
    const issueIds = await listPending(
      control,
      await findCursor(unscopedStores(viewer).control, mirrorReader),
      maxIssues,
    )
    if (issueIds !== null) return { issueIds, rows: await readMirrorRows(control.issueHashes, issueIds) }
    if (performance.now() - begun > timeoutMs)
      throw Object.assign(new Error('Issue states are being prepared for searches. Try again in a minute.'), {
        code: 'mirror_behind',
      })
  }
}

/** Null if there are too many, or the mirror lacks more than the log knows. */
async function listPending(control: ScopedControl, cursor: number | null, maxIssues: number): Promise<number[] | null> {
  if (cursor === null) return null
  const rows = await control
    .issueChanges()
    .select('issue_id')
    .distinct()
    .where(({ or, eb }) => or([eb('position', 'is', null), eb('position', '>', cursor)]))
    .limit(maxIssues + 1)
    .execute()
  return rows.length > maxIssues ? null : rows.map(row => row.issue_id)
}

/** A SELECT of the mirror's columns, where `conditions` hold. */
export const issueStatesSql = (pending: PendingStates, bind: Bind, states: States): string =>
  shareStates(pending, bind)(states)

/** Several such SELECTs in one query. The pending rows are bound once: there may be megabytes of them. */
export function shareStates(pending: PendingStates, bind: Bind): (states: States) => string {
  const live = ['{scope}', 'is_deleted = 0']
  if (pending.issueIds.length === 0)
    return ({ columns, conditions = [] }) =>
      `SELECT ${columns.join(', ')} FROM issue_state FINAL WHERE ${[...live, ...conditions].join(' AND ')}`
  live.push(`issue_id NOT IN ${bindArray(pending.issueIds, 'UInt64', bind)}`)
  const all = withPending(pending.rows, live, bind)
  return ({ columns, conditions = [] }) => {
    const where = conditions.length > 0 ? ` WHERE ${conditions.join(' AND ')}` : ''
    return `SELECT ${columns.join(', ')} FROM (${all})${where}`
  }
}

/** The mirror's rows where `live` holds, and the pending ones. */
function withPending(rows: readonly MirrorRow[], live: readonly string[], bind: Bind): string {
  const columns = Object.keys(mirrorColumns) as MirrorColumn[] // as they are written there
  const mirrored = `SELECT ${columns.join(', ')} FROM issue_state FINAL WHERE ${live.join(' AND ')}`
  if (rows.length === 0) return mirrored
  const arrays = columns.map(column => {
    const values = rows.map(row => row[column])
    return `${bindArray(values, mirrorColumns[column], bind)} AS of_${column}`
  })
  // By hash too: one may have moved to an issue that was not pending when the log was read.
  const hashes = rows.map(row => row.group_hash)
  return `${mirrored} AND group_hash NOT IN ${bindArray(hashes, 'String', bind)}
    UNION ALL
    SELECT ${columns.map(castColumn).join(', ')} FROM (SELECT 1) ARRAY JOIN ${arrays.join(', ')}`
}

type States = {
  columns: readonly MirrorColumn[]
  conditions?: readonly string[]
}

const castColumn = (column: MirrorColumn): string =>
  column === 'group_hash' ? 'toFixedString(of_group_hash, 32) AS group_hash' : `of_${column} AS ${column}`
