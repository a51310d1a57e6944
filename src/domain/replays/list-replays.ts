import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { boundParams } from '#domain/events/event-condition.ts'
import type { KeyCursor } from '#domain/events/list-filter.ts'
import { resolveTerms } from '#domain/events/resolve-terms.ts'
import { asUuid } from '#domain/traces/trace-scope.ts'
import { type ReplaySummary, readSummaries } from './read-summaries.ts'
import { type ReplayFilter, replayScope, sortKeys } from './replay-condition.ts'
import { joinErrorsFor } from './replay-errors.ts'
import { resolveIssues } from './resolve-issues.ts'

export const replaysPerPage = 50

type ReplayPage = { replays: ReplaySummary[]; next: KeyCursor | null }

const found = z.object({
  replay: z.string(),
  project: z.coerce.number(),
  at: z.coerce.number(),
  sort_key: z.coerce.number(),
})

/**
 * A page of replays, by keyset, so that every page costs the same. Ids and sort keys are read for all replays of the time range, the
 * rest only for those of the page. Recordings are never opened.
 */
export async function listReplays(viewer: Viewer, filter: ReplayFilter, perPage = replaysPerPage): Promise<ReplayPage> {
  const terms = await resolveIssues(viewer, await resolveTerms(viewer, filter.terms, filter.projectIds))
  const { params, bind } = boundParams()
  const { where, having, from, to } = replayScope(viewer, { ...filter, terms }, bind)
  const { after } = filter
  const beyond = after
    ? `AND (sort_key, replay_id) < (${bind(after.key, 'Int64')}, ${bind(asUuid(after.id), 'UUID')})`
    : ''
  const rows = await viewer.telemetry.within(filter.projectIds).query({
    query: `
      SELECT replaceAll(toString(replay_id), '-', '') AS replay, project_id AS project, ${sortKeys[filter.sort]} AS sort_key,
        toUnixTimestamp64Milli(min(started)) AS at
      FROM replays ${joinErrorsFor(having + sortKeys[filter.sort], { from, to }, bind)} WHERE ${where}
      GROUP BY project_id, replay_id HAVING ${having} ${beyond}
      ORDER BY sort_key DESC, replay_id DESC, project_id
      LIMIT ${bind(perPage + 1, 'UInt32')}`,
    params,
    schema: found,
  })
  const page = rows.slice(0, perPage)
  const last = rows.length > page.length ? page.at(-1) : undefined
  return {
    replays: await readSummaries(viewer, page),
    next: last ? { to, key: last.sort_key, id: last.replay } : null,
  }
}

const counted = z.object({ replays: z.coerce.number() })

/** How many replays match. */
export async function countReplays(viewer: Viewer, filter: ReplayFilter): Promise<number> {
  const terms = await resolveIssues(viewer, await resolveTerms(viewer, filter.terms, filter.projectIds))
  const { params, bind } = boundParams()
  const { where, having, from, to } = replayScope(viewer, { ...filter, terms, after: undefined }, bind)
  const [row] = await viewer.telemetry.within(filter.projectIds).query({
    query: `SELECT count() AS replays FROM (SELECT replay_id FROM replays ${joinErrorsFor(having, { from, to }, bind)} WHERE ${where} GROUP BY project_id, replay_id HAVING ${having}) LIMIT 1`,
    params,
    schema: counted,
  })
  return row?.replays ?? 0
}
