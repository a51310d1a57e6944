/** Lists, tabs and issues. */
import type { IssueEventFilter } from '#domain/events/event-scope.ts'
import { findBestEvent } from '#domain/events/find-event.ts'
import {
  type EventCursor,
  eventSorts,
  type ListedIssueEvent,
  listIssueEvents,
} from '#domain/events/list-issue-events.ts'
import { pickEvent, pickOldest } from '#domain/events/pick-event.ts'
import { findRecommended } from '#domain/events/recommended-event.ts'
import { countIssue } from '#domain/issues/count-issue.ts'
import { countIssuePeriods } from '#domain/issues/count-issue-periods.ts'
import { countIssueViews } from '#domain/issues/count-issue-views.ts'
import { dayOf, hourOf } from '#domain/issues/counters/counted-event.ts'
import { findIssue, findIssueState, findLatestIssue } from '#domain/issues/find-issue.ts'
import { issueSorts } from '#domain/issues/list/issue-filter.ts'
import { listIssues } from '#domain/issues/list-issues.ts'
import { searchIssueTitles } from '#domain/issues/search-titles.ts'
import { parseSearch } from '#search/parse-search.ts'
import { dayMs, hourMs, type ModelEvent } from './generate.ts'
import { byNumber, countBy, type Model, sum, truthOf } from './report.ts'

const ranges = { '1 h': hourMs, '24 h': dayMs, '7 d': 7 * dayMs, '14 d': 14 * dayMs, '90 d': 90 * dayMs }

export async function compareIssues(model: Model): Promise<void> {
  await compareLists(model)
  // Every issue would cost minutes, and the lists have compared them all.
  const some = [...model.ownOf].filter((_, index) => index % (model.isWhole ? 3 : 7) === 0)
  for (const [id, own] of some) await compareIssue(model, id, own)
  for (const [id, own] of some.slice(0, 2)) await compareEvents(model, id, own)
  await compareTitles(model)
}

async function compareLists({ viewer, now, ownOf, isWhole, report }: Model): Promise<void> {
  const { same, users } = report
  const filters = [
    { query: '', environment: undefined, keep: () => true },
    { query: '', environment: 'staging', keep: (event: ModelEvent) => event.environment === 'staging' },
    {
      query: 'release:shop@1.1.0',
      environment: undefined,
      keep: (event: ModelEvent) => event.release === 'shop@1.1.0',
    },
    { query: 'plan:business', environment: undefined, keep: (event: ModelEvent) => event.plan === 'business' },
  ]
  const spans = [
    ...Object.entries(ranges).map(([name, rangeMs]) => ({ name, rangeMs, to: undefined })),
    { name: 'three days, a week ago', rangeMs: 3 * dayMs, to: now - 7 * dayMs },
    { name: 'two hours, yesterday', rangeMs: 2 * hourMs, to: now - 20 * hourMs - 12_345 },
  ].filter(({ name }) => isWhole || name === '24 h' || name === '14 d' || name.startsWith('three'))
  // Of searches every third is enough: all ranges are read alike.
  for (const [index, { name, rangeMs, to }] of spans.entries())
    for (const { query, environment, keep } of filters.filter((_, at) => at === 0 || (at + index) % 3 === 0)) {
      const end = to ?? now
      const truth = new Map<number, ReturnType<typeof truthOf>>()
      for (const [id, own] of ownOf) {
        const within = own.filter(event => keep(event) && event.at >= end - rangeMs && event.at <= end)
        if (within.length > 0) truth.set(id, truthOf(within))
      }
      const isPlain = !query && !environment
      // A search and an environment are read from the same store for every sort.
      const isSorted = isPlain && isWhole && (name === '24 h' || name === '14 d')
      for (const sort of isSorted ? issueSorts : isPlain ? (['urgency', 'users'] as const) : (['users'] as const)) {
        const what = `list of ${name} ${query || environment || 'all'} by ${sort}`
        const filter = { terms: parseSearch(query).terms, environment, rangeMs, to, sort, limit: 100 }
        const page = await listIssues(viewer, filter)
        same(`${what}: total`, page.total, truth.size)
        same(`${what}: issues`, page.issues.map(({ id }) => id).sort(byNumber), [...truth.keys()].sort(byNumber))
        for (const issue of page.issues) {
          const known = truth.get(issue.id)
          if (!known) continue
          same(`${what}: events of ${issue.id}`, issue.events, known.events)
          users(`${what}: users of ${issue.id}`, issue.users, known.users)
          same(`${what}: bars of ${issue.id}`, sum(issue.bars), known.events)
        }
        const shown = page.issues.map(({ events }) => events)
        if (sort === 'events')
          same(
            `${what}: order`,
            shown,
            shown.toSorted((a, b) => b - a),
          )
      }
      if (query === '' && to === undefined) {
        const views = await countIssueViews(viewer, { rangeMs, environment })
        same(`tab of unresolved issues of ${name} ${environment ?? 'all'}`, views.unresolved, truth.size)
      }
    }
}

async function compareIssue({ viewer, now, isWhole, report }: Model, id: number, own: readonly ModelEvent[]) {
  const { same, users } = report
  const issue = await findIssue(viewer, id)
  if (!issue) return same(`issue ${id}`, null, 'an issue')
  const truth = truthOf(own)
  same(`issue ${id}: events`, issue.eventCount, truth.events)
  users(`issue ${id}: users`, issue.userCount, truth.users)
  same(`issue ${id}: first seen`, issue.firstSeen, truth.firstSeen)
  same(`issue ${id}: last seen`, issue.lastSeen, truth.lastSeen)
  const state = await findIssueState(viewer, issue)
  const named = own.filter(({ release }) => release !== '').toSorted((a, b) => a.at - b.at)
  const [first, last] = [own.find(({ at }) => at === truth.firstSeen), named.at(-1)]
  same(`issue ${id}: first release`, state.firstRelease, first?.release)
  if (issue.hashes.length === 1 && own.find(({ at }) => at === truth.lastSeen) === last)
    same(`issue ${id}: last release`, state.lastRelease, last?.release)
  const { bars } = await countIssue(viewer, issue, {})
  same(`issue ${id}: bars`, sum(bars.counts), own.filter(({ at }) => at >= bars.from).length)
  const half = { from: now - 5 * dayMs, to: now - 2 * dayMs }
  const scopes: [string, IssueEventFilter, (event: ModelEvent) => boolean][] = [
    ['a day', { rangeMs: dayMs }, ({ at }) => at >= now - dayMs],
    ['ten days', { rangeMs: 10 * dayMs }, ({ at }) => at >= now - 10 * dayMs],
    ['a part', half, ({ at }) => at >= half.from && at <= half.to],
    ['an environment', { environment: 'staging' }, ({ environment }) => environment === 'staging'],
  ]
  for (const [scope, filter, isIn] of isWhole ? scopes : scopes.slice(0, 1)) {
    const part = await countIssue(viewer, issue, filter)
    const told = own.filter(isIn)
    same(`issue ${id}: events of ${scope}`, part.events, told.length)
    users(`issue ${id}: users of ${scope}`, part.users, truthOf(told).users)
    same(`issue ${id}: bars of ${scope}`, sum(part.bars.counts), told.filter(({ at }) => at >= part.bars.from).length)
  }
  const periods = async (table: 'hour' | 'day', since: number) => {
    const wanted =
      table === 'hour'
        ? ({ table: 'hash_hour', column: 'hour' } as const)
        : ({ table: 'hash_day', column: 'day' } as const)
    const found = await countIssuePeriods(viewer, issue, { ...wanted, since })
    return found.toSorted((a, b) => a.period - b.period).map(({ period, events }) => [String(period), events])
  }
  const inOrder = (counts: [string, number][]) => counts.toSorted((a, b) => Number(a[0]) - Number(b[0]))
  const hour = hourOf(now) - 24
  const hours = countBy(
    own.filter(({ at }) => hourOf(at) >= hour),
    ({ at }) => String(hourOf(at)),
  )
  same(`issue ${id}: hours`, await periods('hour', hour), inOrder(hours))
  same(`issue ${id}: days`, await periods('day', dayOf(now) - 14), inOrder(countBy(own, ({ at }) => String(dayOf(at)))))
}

async function compareEvents({ viewer, isWhole, report }: Model, id: number, own: readonly ModelEvent[]) {
  const { same } = report
  const issue = await findIssue(viewer, id)
  if (!issue) return
  for (const sort of isWhole ? eventSorts : (['newest'] as const)) {
    const listed: ListedIssueEvent[] = []
    let after: EventCursor | undefined
    do {
      const page = await listIssueEvents(viewer, issue, { filter: {}, sort, after })
      listed.push(...page.events)
      after = page.next ?? undefined
    } while (after)
    same(`events of issue ${id} by ${sort}`, new Set(listed.map(({ event_id }) => event_id)).size, own.length)
    same(`rows of issue ${id} by ${sort}`, listed.length, own.length)
    const keys = listed.map(event =>
      sort === 'newest' ? -event.timestamp : sort === 'oldest' ? event.timestamp : event[sort] || '\uffff',
    )
    same(
      `order of issue ${id} by ${sort}`,
      keys,
      keys.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)),
    )
  }
  const inOrder = own.toSorted((a, b) => a.at - b.at)
  const oldest = await findBestEvent(viewer, issue, { by: 'oldest', filter: {} })
  same(`oldest event of issue ${id}`, oldest?.timestamp, inOrder[0]?.at)
  const latest = await findBestEvent(viewer, issue, { by: 'newest', filter: {} })
  same(`latest event of issue ${id}`, latest?.timestamp, inOrder.at(-1)?.at)
  const between = latest && (await pickEvent(viewer, issue, latest.event_id, {}))
  same(
    `neighbors of the latest event of issue ${id}`,
    [between?.newer, Boolean(between?.older)],
    [null, own.length > 1],
  )
  same(`oldest of issue ${id}, picked`, (await pickOldest(viewer, issue, {}))?.eventId, oldest?.event_id)
  const kept = await findRecommended(viewer, issue, {})
  const best = await findBestEvent(viewer, issue, { by: 'rank', filter: {} })
  same(`recommended event of issue ${id}`, kept?.event_id, best?.event_id)
}

async function compareTitles({ viewer, ownOf, report }: Model): Promise<void> {
  const found = await searchIssueTitles(viewer, 'model', 100)
  report.same('issues by title', found.map(({ id }) => id).sort(byNumber), [...ownOf.keys()].sort(byNumber))
  for (const { id: projectId } of viewer.projects) {
    const latest = await findLatestIssue(viewer, projectId)
    const own = [...ownOf.values()].filter(([event]) => event?.projectId === projectId)
    const last = Math.max(...own.flat().map(({ at }) => at))
    report.same(`latest issue of project ${projectId}`, latest?.lastSeen, last)
  }
}
