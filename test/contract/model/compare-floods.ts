/**
 * A deploy breaks many open tabs at once. Digest keeps a sample of such errors, and all that is counted is counted in full: only users
 * of a search are those of the sample, and say so.
 */
import type { Viewer } from '#domain/access/viewer.ts'
import { listRollout } from '#domain/events/list-rollout.ts'
import { explore } from '#domain/explore/explore.ts'
import { countIssue } from '#domain/issues/count-issue.ts'
import { countIssuePeriods } from '#domain/issues/count-issue-periods.ts'
import { dayOf } from '#domain/issues/counters/counted-event.ts'
import { findIssue } from '#domain/issues/find-issue.ts'
import { listIssues } from '#domain/issues/list-issues.ts'
import { listOutcomes } from '#domain/projects/list-outcomes.ts'
import { listReleases } from '#domain/releases/list-releases.ts'
import { countAdoption } from '#domain/releases/release-counts.ts'
import { findRoute } from '#domain/routes/find-route.ts'
import { parseSearch } from '#search/parse-search.ts'
import { createIds } from '../../create-ids.ts'
import type { Random } from '../../fuzz/random.ts'
import { dayMs, hourMs, type ModelEvent } from './generate.ts'
import { type Report, sum, usersOf } from './report.ts'

const release = 'shop@1.0.0'
const route = '/cart'

type Wanted = { random: Random; projectIds: readonly [number, number]; now: number }

/** Within an hour and of one release, so that no range of a page has only a part of it. An SDK sends some to two projects. */
export function generateFlood({ random, projectIds: [project, second], now }: Wanted): ModelEvent[] {
  const newId = createIds('model flood')
  const flood = Array.from({ length: 160 }, (): ModelEvent => {
    const at = now - 5 * hourMs + random.int(40 * 60_000)
    return {
      eventId: newId(),
      projectId: project,
      type: 'ChunkLoadError',
      at,
      receivedAt: at + random.int(60_000),
      release,
      environment: 'production',
      route,
      traceId: '',
      user: `tab${random.int(120)}`,
      isHandled: false,
      level: 'error',
      plan: 'free',
    }
  })
  return [...flood, ...flood.slice(0, 70).map(event => ({ ...event, projectId: second }))]
}

type Flooded = { viewer: Viewer; now: number; flood: readonly ModelEvent[]; report: Report }

export async function compareFloods({ viewer, now, flood, report }: Flooded): Promise<void> {
  const { same } = report
  const since = now - dayMs
  const search = (query: string, sort: 'urgency' | 'users') =>
    listIssues(viewer, { terms: parseSearch(query).terms, rangeMs: dayMs, sort })
  const lists = {
    list: await search('', 'urgency'),
    'list by users': await search('', 'users'),
    search: await search(`release:${release} error.unhandled:true`, 'urgency'),
  }
  const outcomes = await listOutcomes(viewer, { since })
  for (const { id: projectId } of viewer.projects) {
    const own = flood.filter(event => event.projectId === projectId)
    const what = `the flood of project ${projectId}`
    for (const [name, { issues }] of Object.entries(lists)) {
      const rows = issues.filter(issue => issue.projectId === projectId)
      same(
        `${name} of ${what}`,
        rows.map(({ events, bars }) => [events, sum(bars)]),
        [[own.length, own.length]],
      )
      for (const { users, isSampled } of rows)
        same(`users in ${name} of ${what}`, isSampled ? users <= usersOf(own) : users, isSampled || usersOf(own))
    }
    same(
      `sampled users of ${what}`,
      lists.search.issues.every(({ isSampled }) => isSampled),
      true,
    )
    const issue = await findIssue(viewer, lists.list.issues.find(each => each.projectId === projectId)?.id ?? 0)
    if (!issue) return same(`issue of ${what}`, null, 'an issue')
    same(`issue of ${what}`, [issue.eventCount, issue.userCount], [own.length, usersOf(own)])
    const { events, users, bars } = await countIssue(viewer, issue, {})
    same(`counts of ${what}`, [events, users, sum(bars.counts)], [own.length, usersOf(own), own.length])
    const days = await countIssuePeriods(viewer, issue, { table: 'hash_day', column: 'day', since: dayOf(now) - 2 })
    same(`days of ${what}`, sum(days.map(day => day.events)), own.length)
    same(`rollout of ${what}`, sum((await listRollout(viewer, issue, release)).failures), own.length)
    const page = await findRoute(viewer, { rangeMs: dayMs, projectIds: [projectId] }, route)
    same(`route of ${what}`, [page?.summary.errors, page?.summary.skewFailures], [own.length, own.length])

    // What is not stored is said to be sampled.
    const stored = await explore(
      viewer,
      { dataset: 'errors', fields: ['count()', 'count_unique(id)'], query: '', sort: [] },
      { from: since, to: now, projectIds: [projectId] },
      { limit: 1, offset: 0 },
    )
    const [row] = stored.ok ? stored.rows : []
    same(`errors of ${what}`, row?.['count()'], own.length)
    const left = outcomes.filter(each => each.project_id === projectId && each.reason === 'skew-sampled')
    same(
      `stored and sampled events of ${what}`,
      Number(row?.['count_unique(id)']) + sum(left.map(({ quantity }) => quantity)),
      own.length,
    )
    same(`sampled events of ${what}`, left.length > 0, true)
  }
  const { releases } = await listReleases(viewer, { sort: 'date', offset: 0 })
  const adoption = await countAdoption(viewer, releases)
  same('errors of the release of a flood', adoption.get(release)?.events, flood.length)
}
