/**
 * Mirrors issue states from control into telemetry's `issue_state`. No command has to write it: a query that needs the mirror
 * first catches up with the issues that are new or have had activity, so a member always sees their own changes. Changes without
 * activity (a new hash, an earlier first event) are found by a sweep of all hashes, at the first query and every few minutes.
 */
import { randomUUID } from 'node:crypto'
import type { Control } from '#store/control/control.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import {
  type MirrorRow,
  mirrorColumns,
  readAllMirrorRows,
  readMirrorRows,
  readMovedRows,
  readWrittenRows,
} from './mirror-rows.ts'

const sweepEveryMs = 5 * 60_000
/** Ids are assigned before their rows are committed, so the last few are read again. */
const idMargin = 100
const perInsert = 20_000 // an insert costs a few milliseconds, for one row or for thousands

type IssueMirror = { catchUp(): Promise<void>; sweep(): Promise<void> }

function createIssueMirror(control: Control, telemetry: Telemetry, now: () => number = Date.now): IssueMirror {
  /** The last written row by hash, so that only changes are written. */
  const written = new Map<string, string>()
  const hashesOf = new Map<number, Set<string>>()
  let activityId = 0
  let issueId = 0
  let auditId = 0
  let sweptAt: number | null = null
  let version = 0
  let queue: Promise<void> = Promise.resolve()

  /** Runs one at a time: two in parallel could write the older state last. */
  function enqueue(work: () => Promise<void>): Promise<void> {
    const result = queue.then(work)
    queue = result.catch(() => undefined)
    return result
  }

  async function readMarks(): Promise<{ activity: number; issue: number; audit: number }> {
    const [activity, issue, audit] = await Promise.all([
      control.db
        .selectFrom('issue_activity')
        .select(({ fn }) => fn.max('id').as('id'))
        .executeTakeFirst(),
      control.db
        .selectFrom('issue')
        .select(({ fn }) => fn.max('id').as('id'))
        .executeTakeFirst(),
      control.db
        .selectFrom('audit')
        .select(({ fn }) => fn.max('id').as('id'))
        .executeTakeFirst(),
    ])
    return { activity: activity?.id ?? 0, issue: issue?.id ?? 0, audit: audit?.id ?? 0 }
  }

  async function sweepAll(): Promise<void> {
    const isFirst = sweptAt === null
    const marks = await readMarks()
    const seen = new Set<string>()
    if (isFirst) for await (const rows of readWrittenRows(telemetry)) trackWritten(rows)
    let pending: MirrorRow[] = []
    for await (const rows of readAllMirrorRows(control)) {
      for (const row of rows) seen.add(keyOf(row))
      pending.push(...rows)
      if (pending.length < perInsert) continue
      await write(pending)
      pending = []
    }
    await write(pending)
    await markDeleted([...written.keys()].filter(key => !seen.has(key)))
    activityId = marks.activity
    issueId = marks.issue
    auditId = marks.audit
    sweptAt = now()
  }

  async function readChanges(): Promise<void> {
    const marks = await readMarks()
    if (marks.audit > auditId && (await haveHashesMoved())) return sweepAll()
    auditId = marks.audit
    if (marks.activity === activityId && marks.issue === issueId) return
    const [active, fresh] = await Promise.all([
      control.db
        .selectFrom('issue_activity')
        .select('issue_id')
        .distinct()
        .where('id', '>', activityId - idMargin)
        .execute(),
      control.db
        .selectFrom('issue')
        .select('id')
        .where('id', '>', issueId - idMargin)
        .execute(),
    ])
    const ids = [...new Set([...active.map(row => row.issue_id), ...fresh.map(row => row.id)])]
    const before = new Set(ids.flatMap(id => [...(hashesOf.get(id) ?? [])]))
    const own = await readMirrorRows(control, ids)
    for (const row of own) before.delete(keyOf(row))
    // A merge may have moved a hash to an issue without activity.
    const moved = await readMovedRows(control, [...before].map(hashIn))
    for (const row of moved) before.delete(keyOf(row))
    await write([...own, ...moved])
    await markDeleted([...before])
    for (const id of ids) hashesOf.set(id, new Set(own.filter(row => row[2] === id).map(keyOf)))
    activityId = marks.activity
    issueId = marks.issue
  }

  /** Whether the audit log has a merge or unmerge, which move hashes between issues. They are rare enough for a full sweep. */
  async function haveHashesMoved(): Promise<boolean> {
    const row = await control.db
      .selectFrom('audit')
      .select('id')
      .where('id', '>', auditId)
      .where('action', 'like', 'issue.%merge%')
      .limit(1)
      .executeTakeFirst()
    return row !== undefined
  }

  async function write(rows: MirrorRow[]): Promise<void> {
    const changed = rows.filter(row => written.get(keyOf(row)) !== JSON.stringify(row))
    await insert(changed.map(row => [...row, 0]))
    trackWritten(changed)
  }

  function trackWritten(rows: MirrorRow[]): void {
    for (const row of rows) {
      written.set(keyOf(row), JSON.stringify(row))
      const hashes = hashesOf.get(row[2]) ?? new Set()
      hashesOf.set(row[2], hashes.add(keyOf(row)))
    }
  }

  /** Marks hashes that belong to no issue anymore. */
  async function markDeleted(keys: string[]): Promise<void> {
    await insert(keys.map(key => [Number.parseInt(key, 10), hashIn(key), 0, 0, '', '', '', '', '', 0, '', '', 0, 1]))
    for (const key of keys) written.delete(key)
  }

  async function insert(rows: (string | number)[][]): Promise<void> {
    const at = nextVersion()
    for (let start = 0; start < rows.length; start += perInsert) {
      const body = rows
        .slice(start, start + perInsert)
        .map(row => JSON.stringify([...row, at]))
        .join('\n')
      const columns = [...mirrorColumns, 'is_deleted', 'version']
      const result = await telemetry.insert({ table: 'issue_state', columns, body, token: randomUUID() })
      if (result.kind !== 'done') throw new Error(`Couldn't write issue states to telemetry: ${result.message}`)
    }
  }

  function nextVersion(): number {
    version = Math.max(version + 1, now())
    return version
  }

  return {
    catchUp: () =>
      enqueue(async () => {
        if (sweptAt === null) return sweepAll()
        await readChanges()
        // In the background: this query does not wait for the sweep.
        if (now() - sweptAt > sweepEveryMs) void enqueue(sweepAll).catch(() => undefined)
      }),
    sweep: () => enqueue(sweepAll),
  }
}

const hashIn = (key: string): string => key.slice(key.indexOf(':') + 1)
const keyOf = (row: MirrorRow): string => `${row[0]}:${row[1]}`

const key = Symbol.for('hydrant.issue-mirror')
const holder = globalThis as { [key]?: WeakMap<Telemetry, IssueMirror> }

/** One mirror per telemetry store. On globalThis, because Next bundles several copies of this module. */
export function getIssueMirror(control: Control, telemetry: Telemetry): IssueMirror {
  holder[key] ??= new WeakMap()
  const known = holder[key].get(telemetry)
  if (known) return known
  const mirror = createIssueMirror(control, telemetry)
  holder[key].set(telemetry, mirror)
  return mirror
}
