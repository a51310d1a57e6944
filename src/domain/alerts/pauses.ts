/**
 * When no node accepted data. What was accepted is never missing: it waits in the inbox of its node and is digested with the time of
 * its receipt. So a window lacks only what was sent in these times.
 */
import type { Kysely } from 'kysely'
import type { Viewer } from '#domain/access/viewer.ts'
import type { Control } from '#store/control/control.ts'
import type { ControlSchema } from '#store/control/schema.ts'

export type Pause = { from: number; until: number }

/** Reports come every few seconds; a longer time without any means that no node was there. */
const pauseMs = 45_000
/** A node that says since when it accepts data leaves less to guess. */
const knownPauseMs = 10_000
/** A node that has not reported for so long is gone. */
const silentMs = 120_000
/** Longer than anything looks back: a preview of 14 days compares with the four weeks before. */
const keptMs = 50 * 86_400_000

/** Called with each report, before it is stored. `aliveSince`: the reporting node has accepted data without a break since then, if it knows. */
export async function recordPause(
  db: Kysely<ControlSchema>,
  { aliveSince: known, nowMs }: { aliveSince: number | undefined; nowMs: number },
): Promise<void> {
  const aliveSince = known ?? nowMs
  const reports = await db
    .selectFrom('node_clock')
    .select(({ fn }) => [fn.max('reported_at').as('last'), fn.countAll<number>().as('nodes')])
    .executeTakeFirstOrThrow()
  // A clock that was ahead has made pauses that never were.
  await db
    .deleteFrom('ingest_pause')
    .where('ended_at', '>', nowMs + pauseMs)
    .execute()
  if (Number(reports.nodes) === 0) return
  const last = Number(reports.last)
  if (aliveSince - last <= (known === undefined ? pauseMs : knownPauseMs)) return
  await db
    .insertInto('ingest_pause')
    .values({ began_at: last, ended_at: aliveSince })
    // A node that ended before its first report has left a shorter one.
    .onConflict(conflict => conflict.column('began_at').doUpdateSet({ ended_at: aliveSince }))
    .execute()
  await db
    .deleteFrom('ingest_pause')
    .where('ended_at', '<', nowMs - keptMs)
    .execute()
}

/** Lists the periods with missing data since a time, in order. Records in the inbox of a lost node are missing until it comes back. */
export async function readPauses({ db }: Pick<Control, 'db'>, since: number, nowMs: number): Promise<Pause[]> {
  const pauses = await db
    .selectFrom('ingest_pause')
    .select(['began_at as from', 'ended_at as until'])
    .where('ended_at', '>', since)
    .execute()
  const gone = await db
    .selectFrom('node_clock')
    .select(['digested_until as from', 'reported_at as until'])
    .where('stopped_at', 'is', null)
    .where('reported_at', '<', nowMs - silentMs)
    .where('reported_at', '>', since)
    .execute()
  return merge([...pauses, ...gone])
}

/** The same for a viewer, for times that have passed. */
export async function listPauses(viewer: Viewer, since: number): Promise<Pause[]> {
  return merge(
    await viewer.control
      .ingestPauses()
      .select(['began_at as from', 'ended_at as until'])
      .where('ended_at', '>', since)
      .orderBy('began_at', 'desc')
      .limit(maxPauses)
      .execute(),
  )
}

/** Each minute of a preview adds them up. More than a hundred restarts a day are not looked at one by one. */
const maxPauses = 2_000

function merge(pauses: readonly Pause[]): Pause[] {
  const merged: Pause[] = []
  for (const { from, until } of pauses.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1)
    if (last !== undefined && from <= last.until) last.until = Math.max(last.until, until)
    else merged.push({ from, until })
  }
  return merged
}

/** When the installation began to accept data. What happened before may have been imported since, so only what is judged now looks at it. */
export async function readFirstReport({ db }: Pick<Control, 'db'>): Promise<number> {
  const row = await db
    .selectFrom('node_clock')
    .select(({ fn }) => fn.min('blind_until').as('first'))
    .executeTakeFirstOrThrow()
  return Number(row.first ?? 0)
}

/** How much of a time is missing. */
export const missingIn = (pauses: readonly Pause[], from: number, until: number): number =>
  pauses.reduce((sum, pause) => sum + Math.max(0, Math.min(pause.until, until) - Math.max(pause.from, from)), 0)

/**
 * Since when this process has accepted data without a break, by the times at which it looks. A computer that sleeps makes a break. So does
 * a clock that leaps, until it is set right; one that is behind for a while makes none.
 */
export function createUptime(startMs: number): (nowMs: number) => number {
  let aliveSince = startMs
  let latest = startMs
  return nowMs => {
    if (nowMs - latest > pauseMs) aliveSince = nowMs
    latest = Math.max(latest, nowMs)
    aliveSince = Math.min(aliveSince, nowMs)
    return aliveSince
  }
}
