/** The API: the same numbers as on the pages, in the words of Sentry's tools. */
import type { ApiCall, ApiHandler } from '#api/api-call.ts'
import { getIssueEvents, getProjectEvents } from '#api/events/events.ts'
import { getExploredRows, getSeries } from '#api/explore/explore.ts'
import { getIssue, getIssues } from '#api/issues/issues.ts'
import { getRelease, getReleases } from '#api/releases/releases.ts'
import { getTrace, getTraceCounts } from '#api/traces/traces.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import { countIssueViews } from '#domain/issues/count-issue-views.ts'
import { findIssue } from '#domain/issues/find-issue.ts'
import { listIssues } from '#domain/issues/list-issues.ts'
import { listProjects } from '#domain/projects/list-projects.ts'
import { listReleases } from '#domain/releases/list-releases.ts'
import { dayMs } from './generate.ts'
import { type Model, sum, truthOf } from './report.ts'

type Answer = { body: unknown; next: string | null }

/** Handlers get a call that the router has admitted. */
async function ask<Param extends string>(
  viewer: Viewer,
  handler: ApiHandler<Param>,
  query: Record<string, string>,
  params: Record<Param, string>,
): Promise<Answer> {
  const request = new Request(`https://hydrant.example/api/0/?${new URLSearchParams(query)}`)
  const call = { viewer, request, search: new URL(request.url).searchParams, params, input: undefined }
  const response = await handler(call as unknown as ApiCall<Param>)
  const next = /rel="next"; results="true"; cursor="([^"]+)"/.exec(response.headers.get('Link') ?? '')?.[1] ?? null
  return { body: await response.json(), next }
}

async function askAll<Param extends string>(
  viewer: Viewer,
  handler: ApiHandler<Param>,
  query: Record<string, string>,
  params: Record<Param, string>,
): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = []
  let cursor: string | null = ''
  do {
    const answer: Answer = await ask(viewer, handler, cursor ? { ...query, cursor } : query, params)
    rows.push(...(answer.body as Record<string, unknown>[]))
    cursor = answer.next
  } while (cursor)
  return rows
}

export async function compareApi(model: Model): Promise<void> {
  const { viewer, now, ownOf, events, visits, sent, report } = model
  const { same, users } = report
  for (const days of [1, 14]) {
    const rows = await askAll(viewer, getIssues, { statsPeriod: `${days}d`, query: '', per_page: '7' }, {})
    const from = now + 1 - days * dayMs
    const truth = [...ownOf].flatMap(([id, own]) => {
      const within = own.filter(({ at }) => at >= from)
      return within.length === 0 ? [] : [`${id}: ${within.length} of ${truthOf(within).users}`]
    })
    same(
      `API: issues of ${days} d`,
      rows.map(row => `${row.id}: ${row.count} of ${row.userCount}`).sort(),
      truth.sort(),
    )
    // The page that shows the same list, its tab, and Explore.
    const page = await listIssues(viewer, { terms: [], rangeMs: days * dayMs - 1, sort: 'lastSeen', limit: 100 })
    const all = sum(page.issues.map(each => each.events))
    same(`list and API of ${days} d`, all, sum(rows.map(({ count }) => Number(count))))
    const explored = await ask(viewer, getExploredRows, { statsPeriod: `${days}d`, field: 'count()' }, {})
    same(
      `list and Explore of ${days} d`,
      all,
      (explored.body as { data: { 'count()': number }[] }).data[0]?.['count()'],
    )
    const series = await ask(viewer, getSeries, { statsPeriod: `${days}d`, interval: '1h', yAxis: 'count()' }, {})
    const points = (series.body as { data: [number, [{ count: number }]][] }).data
    same(`list and series of ${days} d`, all, sum(points.map(([, [{ count }]]) => count)))
  }
  const [from, to] = [now - 9 * dayMs, now - 6 * dayMs]
  const dates = { start: new Date(from).toISOString(), end: new Date(to).toISOString() }
  const past = await askAll(viewer, getIssues, { ...dates, query: '', per_page: '100' }, {})
  const then = [...ownOf].flatMap(([id, own]) => {
    const within = own.filter(({ at }) => at >= from && at <= to)
    return within.length === 0 ? [] : [`${id}: ${within.length}`]
  })
  same('API: issues between two dates', past.map(row => `${row.id}: ${row.count}`).sort(), then.sort())
  for (const [id, own] of [...ownOf].slice(0, 2)) {
    const truth = truthOf(own)
    const { body } = await ask(viewer, getIssue, {}, { issue: String(id) })
    const shown = body as { count: string; userCount: number; firstSeen: string; lastSeen: string }
    same(`API: events of issue ${id}`, shown.count, String(truth.events))
    users(`API: users of issue ${id}`, shown.userCount, truth.users)
    same(`API: times of issue ${id}`, [shown.firstSeen, shown.lastSeen].map(Date.parse), [
      truth.firstSeen,
      truth.lastSeen,
    ])
    const listed = await askAll(viewer, getIssueEvents, { statsPeriod: '30d', per_page: '100' }, { issue: String(id) })
    same(
      `API: list of events of issue ${id}`,
      listed.map(({ id: eventId }) => eventId).sort(),
      own.map(({ eventId }) => eventId).sort(),
    )
    same(`page and API of issue ${id}`, (await findIssue(viewer, id))?.eventCount, listed.length)
  }
  const [project] = viewer.projects
  if (project) {
    const rows = await askAll(
      viewer,
      getProjectEvents,
      { statsPeriod: '30d', per_page: '100' },
      { project: String(project.id) },
    )
    same('API: events of a project', rows.length, events.filter(({ projectId }) => projectId === project.id).length)
  }
  // What a project has received stays counted.
  for (const { id, eventCount } of await listProjects(viewer))
    same(`received events of project ${id}`, eventCount, sent.filter(({ projectId }) => projectId === id).length)
  await compareReleases(model)
  const [visit] = visits.filter(({ traceId }) => events.some(event => event.traceId === traceId))
  if (visit) {
    const errors = events.filter(({ traceId }) => traceId === visit.traceId).length
    const counts = await ask(viewer, getTraceCounts, { statsPeriod: '30d' }, { trace: visit.traceId })
    const { span_count, errors: counted } = counts.body as { span_count: number; errors: number }
    same('API: counts of a trace', [span_count, counted], [visit.spans.length, errors])
    const trees = (await ask(viewer, getTrace, { statsPeriod: '30d' }, { trace: visit.traceId })).body as Tree[]
    same('API: spans and errors of a trace', trees.flatMap(flatten).length, visit.spans.length + errors)
  }
  const views = await countIssueViews(viewer, { rangeMs: 14 * dayMs })
  const unresolved = await askAll(
    viewer,
    getIssues,
    { statsPeriod: '14d', query: 'is:unresolved', per_page: '100' },
    {},
  )
  same('tab and API of unresolved issues', views.unresolved, unresolved.length)
}

type Tree = { children?: Tree[]; errors?: Tree[] }
const flatten = (tree: Tree): Tree[] => [tree, ...[...(tree.children ?? []), ...(tree.errors ?? [])].flatMap(flatten)]

async function compareReleases({ viewer, ownOf, report }: Model): Promise<void> {
  const rows = await askAll(viewer, getReleases, {}, {})
  const { releases } = await listReleases(viewer, { sort: 'date', offset: 0 })
  report.same(
    'API: releases',
    rows.map(({ version }) => version),
    releases.map(({ version }) => version),
  )
  for (const { version, newIssues } of releases) {
    const { body } = await ask(viewer, getRelease, {}, { version })
    const { newGroups, projects } = body as { newGroups: number; projects: { id: number; newGroups: number }[] }
    report.same(`list and API of new issues of ${version}`, newGroups, newIssues)
    const fresh = [...ownOf.values()].flatMap(own => {
      const first = own.reduce((oldest, event) => (event.at < oldest.at ? event : oldest))
      return first.release === version ? [first.projectId] : []
    })
    for (const { id, newGroups: own } of projects)
      report.same(
        `API: new issues of ${version} in project ${id}`,
        own,
        fresh.filter(projectId => projectId === id).length,
      )
  }
}
