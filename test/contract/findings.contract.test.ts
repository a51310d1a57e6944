/** Findings through digest: the same sentence on both databases, in whichever order the events arrive. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { Viewer } from '#domain/access/viewer.ts'
import { findIssueFinding } from '#domain/findings/issue/find-issue-finding.ts'
import { compareRelease } from '#domain/findings/release/compare-release.ts'
import { findIssue, findIssueState } from '#domain/issues/find-issue.ts'
import { listIssueActivity } from '#domain/issues/list-issue-activity.ts'
import { listTagShares } from '#domain/issues/list-tag-shares.ts'
import { findUsualShares } from '#domain/issues/usual-shares.ts'
import { createProject } from '#domain/projects/create-project.ts'
import { createDeploy } from '#domain/releases/create-deploy.ts'
import { findRelease } from '#domain/releases/list-releases.ts'
import { formatFinding } from '#ui/finding/format-finding.ts'
import { createIds } from '../create-ids.ts'
import { createRandom } from '../fuzz/random.ts'
import { viewAs } from '../view-as.ts'
import { dayMs, deliver, hourMs, type ModelEvent } from './model/generate.ts'
import { createModelDigest, deliverEvent } from './model/model-world.ts'
import { onEachEngine } from './on-each-engine.ts'
import { borrowTelemetry, type TelemetryUnderTest } from './start-telemetry.ts'
import { makeWorld, startedAt, type World } from './workflow-world.ts'

const now = startedAt + 17 * 60_000
const newId = createIds('findings')
let store: TelemetryUnderTest
let lastId = 0
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: startedAt })
  store = await borrowTelemetry()
})
afterAll(async () => {
  vi.useRealTimers()
  await store?.stop()
})
afterEach(() => void vi.setSystemTime(now))

type Given = {
  type: string
  from: number
  to: number
  stepMs: number
  release: string
  plan: (index: number) => string
}

/** Events in equal distances, each of another user. */
function spread(projectId: number, { type, from, to, stepMs, release, plan }: Given): ModelEvent[] {
  return Array.from({ length: Math.floor((to - from) / stepMs) }, (_, index) => {
    const at = from + index * stepMs + stepMs / 2
    const common = { environment: 'production', isHandled: true, level: 'error' as const, route: '', traceId: '' }
    return {
      ...common,
      eventId: newId(),
      projectId,
      type,
      at,
      receivedAt: at,
      release,
      user: `${type} ${release} ${index}`,
      plan: plan(index),
    }
  })
}

/** A project where one issue rises with a deploy, for one plan only, and others stay as they are. */
function eventsOf(projectId: number): ModelEvent[] {
  const either = (index: number): string => (index % 5 < 3 ? 'business' : 'free')
  const business = (): string => 'business'
  const rising = { type: 'RisingError', plan: business }
  return [
    ...spread(projectId, { ...rising, from: now - 9 * dayMs, to: now, stepMs: hourMs, release: 'shop@1' }),
    ...spread(projectId, { ...rising, from: now - 3 * hourMs, to: now, stepMs: hourMs / 12, release: 'shop@2' }),
    ...spread(projectId, {
      type: 'SteadyError',
      plan: either,
      from: now - dayMs,
      to: now,
      stepMs: hourMs / 30,
      release: 'shop@1',
    }),
  ]
}

/** Telemetry is that of all tests, so each has a project of its own. */
async function openProject(world: World): Promise<{ projectId: number; viewer: Viewer }> {
  const { id: organizationId } = await world.control.db
    .selectFrom('organization')
    .select('id')
    .executeTakeFirstOrThrow()
  let projectId = world.web
  while (projectId <= lastId) {
    const made = await createProject(world.context, { organizationId, slug: `after-${projectId}` })
    if (!made.ok) throw new Error(made.code)
    projectId = made.project.id
  }
  lastId = projectId
  const viewer = viewAs(
    { control: world.control, telemetry: store.telemetry },
    { projects: [projectId], now, organization: { id: organizationId, slug: 'acme', name: 'acme' } },
  )
  return { projectId, viewer }
}

/** The same telemetry, and how often it was queried. */
function countQueries({ telemetry }: TelemetryUnderTest) {
  const queries = { count: 0 }
  const counted = new Proxy(telemetry, {
    get(of, name: keyof typeof telemetry) {
      if (name === 'query' || name === 'columns') queries.count++
      return of[name]
    },
  })
  return { queries, telemetry: counted }
}

async function sayOf(viewer: Viewer, projectId: number, title: string): Promise<string> {
  const row = await viewer.control
    .within([projectId])
    .issues()
    .select('issue.id')
    .where('title', 'like', `${title}%`)
    .executeTakeFirstOrThrow()
  const issue = await findIssue(viewer, row.id)
  if (!issue) throw new Error('no issue')
  await findUsualShares(viewer, projectId)
  const [state, activity] = await Promise.all([findIssueState(viewer, issue), listIssueActivity(viewer, issue)])
  return formatFinding(await findIssueFinding(viewer, issue, { filter: {}, state, activity, insight: null }))
}

onEachEngine(({ newAcme }) => {
  test.each(['in order', 'late, shuffled and doubled'])('an issue that rose with a deploy, %s', async order => {
    const world = await makeWorld(await newAcme())
    const { projectId, viewer } = await openProject(world)
    const events = eventsOf(projectId)
    const digest = createModelDigest(world.control, store)
    const random = createRandom(7)
    const isLate = order !== 'in order'
    const sent = events.map(event => ({
      ...event,
      receivedAt: isLate && random.chance(0.3) ? Math.min(now, event.at + random.int(5 * hourMs)) : event.at,
    }))
    const sorted = sent.toSorted((a, b) => a.receivedAt - b.receivedAt)
    const batches = isLate
      ? deliver(sent, random, { size: 200 })
      : Array.from({ length: Math.ceil(sorted.length / 200) }, (_, at) => sorted.slice(at * 200, (at + 1) * 200))
    for (const batch of batches) await digest(batch.map(deliverEvent))
    vi.setSystemTime(now)
    const deployed = await createDeploy(world.context, {
      organizationId: viewer.organization.id,
      version: 'shop@2',
      projectIds: [projectId],
      environment: 'production',
      name: '',
      url: '',
      startedAt: null,
      finishedAt: now - 3 * hourMs,
    })
    expect(deployed.ok).toBe(true)
    expect(await sayOf(viewer, projectId, 'RisingError')).toBe(
      '13× more since shop@2, deployed 3 h ago; 100 % on plan:business (usual 63 %).',
    )
    expect(await sayOf(viewer, projectId, 'SteadyError')).toBe('')
    const release = await findRelease(viewer, 'shop@2')
    if (!release) throw new Error('no release')
    // Nothing but errors was sent, so there is nothing to compare.
    expect((await compareRelease(viewer, release, null)).previous).toBeNull()
  })

  test('a page that has read its tags queries telemetry no more for the finding', async () => {
    const world = await makeWorld(await newAcme())
    const { projectId, viewer } = await openProject(world)
    const digest = createModelDigest(world.control, store)
    await digest(eventsOf(projectId).slice(0, 100).map(deliverEvent))
    vi.setSystemTime(now)
    const { queries, telemetry } = countQueries(store)
    const reader = viewAs(
      { control: world.control, telemetry },
      { projects: [projectId], now, organization: viewer.organization },
    )
    const [row] = await reader.control.issues().select('issue.id').execute()
    const issue = await findIssue(reader, row?.id ?? 0)
    if (!issue) throw new Error('no issue')
    await findUsualShares(reader, projectId)
    const filter = { rangeMs: 30 * dayMs, terms: [] }
    await listTagShares(reader, issue, filter)
    expect(queries.count).toBeGreaterThan(0)
    const before = queries.count
    const state = await findIssueState(reader, issue)
    await findIssueFinding(reader, issue, { filter, state, activity: [], insight: null })
    expect(queries.count).toBe(before)
  })
})
