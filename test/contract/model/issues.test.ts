/** Every number of issues, their lists and releases against the truth of the model. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { Viewer } from '#domain/access/viewer.ts'
import type { IssueEventFilter } from '#domain/events/event-scope.ts'
import {
  type EventCursor,
  eventSorts,
  type ListedIssueEvent,
  listIssueEvents,
} from '#domain/events/list-issue-events.ts'
import { deleteIssues } from '#domain/issues/commands/delete-issues.ts'
import { mergeIssues } from '#domain/issues/commands/merge-issues.ts'
import { reopenIssues, resolveIssues } from '#domain/issues/commands/resolve-issues.ts'
import { countIssue } from '#domain/issues/count-issue.ts'
import { countIssueViews } from '#domain/issues/count-issue-views.ts'
import { findIssue } from '#domain/issues/find-issue.ts'
import { issueSorts } from '#domain/issues/list/issue-filter.ts'
import { listIssues } from '#domain/issues/list-issues.ts'
import { createProject } from '#domain/projects/create-project.ts'
import { listReleaseIssues } from '#domain/releases/list-release-issues.ts'
import { listReleases } from '#domain/releases/list-releases.ts'
import { countReleaseEvents } from '#domain/releases/release-counts.ts'
import { parseSearch } from '#search/parse-search.ts'
import { createRandom } from '../../fuzz/random.ts'
import { viewAs } from '../../view-as.ts'
import { onEachEngine } from '../on-each-engine.ts'
import { startTelemetry, type TelemetryUnderTest } from '../start-telemetry.ts'
import { makeWorld, startedAt, type World } from '../workflow-world.ts'
import { dayMs, deliver, generateEvents, hourMs, type ModelEvent } from './generate.ts'
import { createModelDigest, deliverEvent } from './model-world.ts'
import { compareSearches } from './searches.ts'

const seed = Number(process.env.HYDRANT_SEED ?? 7)
const now = startedAt + 17 * 60_000 + 123
const ranges = {
  '1 h': hourMs,
  '24 h': dayMs,
  '7 d': 7 * dayMs,
  '14 d': 14 * dayMs,
  '30 d': 30 * dayMs,
  '90 d': 90 * dayMs,
}
/** Up to here a count of users is exact; above it is estimated and says so. */
const exactUsers = 1_023

let store: TelemetryUnderTest
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: startedAt })
  store = await startTelemetry()
})
afterAll(async () => {
  vi.useRealTimers()
  await store?.stop()
})
afterEach(() => void vi.setSystemTime(now))

type Truth = { events: number; users: number; firstSeen: number; lastSeen: number }
const truthOf = (events: readonly ModelEvent[]): Truth => ({
  events: events.length,
  // Browsers that name no user are known by their address, which is the same for all of them here.
  users: new Set(events.map(({ user }) => user)).size,
  firstSeen: Math.min(...events.map(({ at }) => at)),
  lastSeen: Math.max(...events.map(({ at }) => at)),
})

onEachEngine(({ newControl, dialect }) => {
  test('lists, tabs, issues and releases say what has happened', { timeout: 240_000 }, async () => {
    const random = createRandom(seed)
    const world: World = await makeWorld(await newControl())
    const projectIds = await projectsOf(world, dialect)
    const events = generateEvents({ random, projectIds, now, count: 1_500 })
    const digest = createModelDigest(world.control, store)
    for (const batch of deliver(events, random, 150)) await digest(batch.map(deliverEvent))
    vi.setSystemTime(now)
    const viewer = viewAs({ control: world.control, telemetry: store.telemetry }, { projects: [...projectIds], now })

    const issues = await readIssues(world)
    const keyOf = ({ projectId, type }: Pick<ModelEvent, 'projectId' | 'type'>): string => `${projectId} ${type}`
    const ownOf = new Map<number, ModelEvent[]>()
    const byGroup = Map.groupBy(events, keyOf)
    for (const { id, key } of issues) ownOf.set(id, byGroup.get(key) ?? [])
    expect(new Set(issues.map(({ key }) => key))).toEqual(new Set(byGroup.keys()))
    await compare(viewer, ownOf)

    const resolved = issues.filter(({ id }) => id % 3 === 0).map(({ id }) => id)
    const target = { scope: [...projectIds], issueIds: resolved }
    expect(await resolveIssues(world.context, { ...target, how: { kind: 'now' } })).toMatchObject({ ok: true })
    const searched = await compareSearches({ control: world.control, viewer, random, now }, ownOf)
    expect(shorten(searched.differences)).toEqual([])
    expect(searched.compared).toBeGreaterThan(100)
    expect(searched.found).toBeGreaterThan(500)
    await reopenIssues(world.context, target)

    // Merged issues have the events of both, a deleted one is gone from every number.
    const [first, second, third, ...rest] = issues.filter(({ projectId }) => projectId === projectIds[0])
    if (!first || !second || !third || rest.length < 2) throw new Error('too few issues')
    await mergeIssues(world.context, {
      projectId: first.projectId,
      targetIssueId: first.id,
      issueIds: [second.id, third.id],
    })
    ownOf.set(
      first.id,
      [first, second, third].flatMap(({ id }) => ownOf.get(id) ?? []),
    )
    ownOf.delete(second.id)
    ownOf.delete(third.id)
    const [gone] = rest
    if (!gone) throw new Error('too few issues')
    const deleted = ownOf.get(gone.id) ?? []
    await deleteIssues(world.context, { scope: [gone.projectId], issueIds: [gone.id] })
    ownOf.delete(gone.id)
    await compare(viewer, ownOf, deleted)
  })
})

type Found = { id: number; projectId: number; key: string }
async function readIssues({ control }: World): Promise<Found[]> {
  const rows = await control.db.selectFrom('issue').select(['id', 'project_id', 'title']).orderBy('id').execute()
  return rows.map(row => ({
    id: row.id,
    projectId: row.project_id,
    key: `${row.project_id} ${row.title.split(':')[0]}`,
  }))
}

/** The telemetry store is shared by both control databases: each has projects of its own. */
async function projectsOf({ web, other, context, control }: World, dialect: string): Promise<number[]> {
  if (dialect === 'sqlite') return [web, other]
  const { organization_id: organizationId } = await control.db
    .selectFrom('project')
    .select('organization_id')
    .where('id', '=', web)
    .executeTakeFirstOrThrow()
  const made = [
    await createProject(context, { organizationId, slug: 'third' }),
    await createProject(context, { organizationId, slug: 'fourth' }),
  ]
  return made.flatMap(project => (project.ok ? project.project.id : []))
}

/** All differences at once: one alone says little about its cause. */
async function compare(
  viewer: Viewer,
  ownOf: ReadonlyMap<number, readonly ModelEvent[]>,
  /** Until a deletion can no longer be undone, its events count for their release. */
  deleted: readonly ModelEvent[] = [],
) {
  const differences: string[] = []
  let compared = 0
  const same = (what: string, shown: unknown, truth: unknown) => {
    if (JSON.stringify(shown) !== JSON.stringify(truth))
      differences.push(`${what}: ${JSON.stringify(shown)} instead of ${JSON.stringify(truth)}`)
  }
  const users = (what: string, shown: number, truth: number) => {
    if (truth <= exactUsers) same(what, shown, truth)
    else if (Math.abs(shown - truth) > 0.15 * truth) same(`${what} (estimated)`, shown, truth)
  }

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
  ]
  for (const { name, rangeMs, to } of spans)
    for (const { query, environment, keep } of filters) {
      const end = to ?? now
      const truth = new Map<number, Truth>()
      for (const [id, own] of ownOf) {
        const within = own.filter(event => keep(event) && event.at >= end - rangeMs && event.at <= end)
        if (within.length > 0) truth.set(id, truthOf(within))
      }
      // A search and an environment are read from the same store for every sort.
      for (const sort of query || environment ? (['urgency', 'users'] as const) : issueSorts) {
        const what = `${name} ${query || environment || 'all'} by ${sort}`
        const filter = { terms: parseSearch(query).terms, environment, rangeMs, to, sort, limit: 100 }
        const page = await listIssues(viewer, filter)
        same(`${what}: total`, page.total, truth.size)
        same(`${what}: issues`, page.issues.map(({ id }) => id).sort(byNumber), [...truth.keys()].sort(byNumber))
        for (const issue of page.issues) {
          const known = truth.get(issue.id)
          if (!known) continue
          same(`${what}: events of ${issue.id}`, issue.events, known.events)
          users(`${what}: users of ${issue.id}`, issue.users, known.users)
          same(
            `${what}: bars of ${issue.id}`,
            issue.bars.reduce((sum, bar) => sum + bar, 0),
            known.events,
          )
        }
        compared += page.issues.length
        if (sort === 'events') {
          const shown = page.issues.map(({ events }) => events)
          same(
            `${what}: order`,
            shown,
            shown.toSorted((a, b) => b - a),
          )
        }
      }
      if (query === '' && to === undefined) {
        const views = await countIssueViews(viewer, { rangeMs, environment })
        same(`${name} ${environment ?? 'all'}: tab of unresolved issues`, views.unresolved, truth.size)
      }
    }

  for (const [id, own] of ownOf) {
    const issue = await findIssue(viewer, id)
    if (!issue) {
      differences.push(`issue ${id} is missing`)
      continue
    }
    const truth = truthOf(own)
    same(`issue ${id}: events`, issue.eventCount, truth.events)
    users(`issue ${id}: users`, issue.userCount, truth.users)
    same(`issue ${id}: first seen`, issue.firstSeen, truth.firstSeen)
    same(`issue ${id}: last seen`, issue.lastSeen, truth.lastSeen)
    const { bars } = await countIssue(viewer, issue, {})
    same(
      `issue ${id}: bars`,
      bars.counts.reduce((sum, bar) => sum + bar, 0),
      own.filter(({ at }) => at >= bars.from).length,
    )
    const half = { from: now - 5 * dayMs, to: now - 2 * dayMs }
    for (const [scope, filter, isIn] of [
      ['a day', { rangeMs: dayMs }, ({ at }) => at >= now - dayMs],
      ['ten days', { rangeMs: 10 * dayMs }, ({ at }) => at >= now - 10 * dayMs],
      ['a part', half, ({ at }) => at >= half.from && at <= half.to],
      ['an environment', { environment: 'staging' }, ({ environment }) => environment === 'staging'],
    ] as const satisfies [string, IssueEventFilter, (event: ModelEvent) => boolean][]) {
      const part = await countIssue(viewer, issue, filter)
      const told = own.filter(isIn)
      same(`issue ${id}: events of ${scope}`, part.events, told.length)
      users(`issue ${id}: users of ${scope}`, part.users, truthOf(told).users)
      same(
        `issue ${id}: bars of ${scope}`,
        part.bars.counts.reduce((sum, bar) => sum + bar, 0),
        told.filter(({ at }) => at >= part.bars.from).length,
      )
    }
  }

  for (const [id, own] of [...ownOf].slice(0, 3)) {
    const issue = await findIssue(viewer, id)
    for (const sort of issue ? eventSorts : []) {
      if (!issue) continue
      const listed: ListedIssueEvent[] = []
      let after: EventCursor | undefined
      do {
        const page = await listIssueEvents(viewer, issue, { filter: {}, sort, after })
        listed.push(...page.events)
        after = page.next ?? undefined
      } while (after)
      same(`issue ${id} by ${sort}: events`, new Set(listed.map(({ event_id }) => event_id)).size, own.length)
      same(`issue ${id} by ${sort}: rows`, listed.length, own.length)
      const keys = listed.map(event =>
        sort === 'newest' ? -event.timestamp : sort === 'oldest' ? event.timestamp : event[sort] || '\uffff',
      )
      same(
        `issue ${id} by ${sort}: order`,
        keys,
        keys.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)),
      )
    }
  }

  const all = [...ownOf.values(), deleted].flat()
  const { releases } = await listReleases(viewer, { sort: 'date', offset: 0 })
  const versions = [...new Set(all.flatMap(({ release }) => release || []))].sort()
  same('releases', releases.map(({ version }) => version).sort(), versions)
  for (const release of releases) {
    const { version } = release
    const seen = all.filter(event => event.release === version)
    same(`${version}: first event`, release.firstSeen, Math.min(...seen.map(({ at }) => at)))
    const fresh = [...ownOf].flatMap(([id, own]) => {
      const first = own.reduce((oldest, event) => (event.at < oldest.at ? event : oldest))
      return first.release === version ? [id] : []
    })
    same(`${version}: number of new issues`, release.newIssues, fresh.length)
    const listed = await listReleaseIssues(viewer, version)
    same(`${version}: new issues`, listed.new.map(({ id }) => id).sort(byNumber), fresh.sort(byNumber))
    for (const issue of listed.new) {
      const truth = truthOf(ownOf.get(issue.id) ?? [])
      same(`${version}: events of new issue ${issue.id}`, issue.eventCount, truth.events)
      users(`${version}: users of new issue ${issue.id}`, issue.userCount, truth.users)
    }
    const bars = await countReleaseEvents(viewer, release)
    same(
      `${version}: bars`,
      bars.counts.reduce((sum, bar) => sum + bar, 0),
      seen.filter(({ at }) => at >= bars.from && at <= bars.to).length,
    )
  }
  expect(shorten(differences)).toEqual([])
  expect(compared).toBeGreaterThan(500)
}

/** Of each kind of difference the first few, and how many there are. */
function shorten(differences: readonly string[]): string[] {
  const kinds = Map.groupBy(differences, text => text.replace(/:.*/s, ''))
  return [...kinds.values()].flatMap(own => [
    ...own.slice(0, 2),
    ...(own.length > 2 ? [`… ${own.length} like this`] : []),
  ])
}

const byNumber = (a: number, b: number): number => a - b
