/**
 * Every number that a page or the API shows, against the truth of the model. Telemetry is written once and read with both control
 * databases: SQLite compares everything after the first delivery, PostgreSQL after all that happened since (`coverage.ts`).
 */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { PreparedBatch } from '#digest/prepared-batch.ts'
import { deleteIssues } from '#domain/issues/commands/delete-issues.ts'
import { mergeIssues } from '#domain/issues/commands/merge-issues.ts'
import { reopenIssues, resolveIssues } from '#domain/issues/commands/resolve-issues.ts'
import { undoChange } from '#domain/issues/commands/undo-change.ts'
import { createProject } from '#domain/projects/create-project.ts'
import { purgeDeleted } from '#jobs/purge-deleted.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { createRandom } from '../../fuzz/random.ts'
import { isLong } from '../../long.ts'
import { viewAs } from '../../view-as.ts'
import { onEachEngine } from '../on-each-engine.ts'
import { borrowTelemetry, type TelemetryUnderTest } from '../start-telemetry.ts'
import { makeWorld, startedAt, type World } from '../workflow-world.ts'
import { compareApi } from './compare-api.ts'
import { compareExplore } from './compare-explore.ts'
import { compareFloods, generateFlood } from './compare-floods.ts'
import { compareIssues } from './compare-issues.ts'
import { compareOutcomes } from './compare-outcomes.ts'
import { compareReleases } from './compare-releases.ts'
import { compareRoutes } from './compare-routes.ts'
import { compareTags } from './compare-tags.ts'
import { compareTraces } from './compare-traces.ts'
import {
  deliver,
  generateEvents,
  generateSessions,
  generateVisits,
  hourMs,
  type ModelEvent,
  placeInVisits,
} from './generate.ts'
import {
  commitAgain,
  createModelDigest,
  type Delivery,
  deliverEvent,
  deliverLog,
  deliverNoise,
  deliverSession,
  deliverVisit,
} from './model-world.ts'
import { createReport, type Model } from './report.ts'
import { compareSearches } from './searches.ts'

const seed = Number(process.env.HYDRANT_SEED ?? 7)
const now = startedAt + 17 * 60_000 + 123
const later = now + 5 * 60_000
const runtimeKey = Symbol.for('hydrant.runtime')

let store: TelemetryUnderTest
let runtime: unknown
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: startedAt })
  store = await borrowTelemetry()
  // All that serializers read of it.
  runtime = Reflect.get(globalThis, runtimeKey)
  Reflect.set(globalThis, runtimeKey, { config: { publicUrl: 'https://hydrant.example', port: 8_000 } })
})
afterAll(async () => {
  vi.useRealTimers()
  Reflect.set(globalThis, runtimeKey, runtime)
  await store?.stop()
})

/** Written by the first control database, and committed again by the second. */
const written: PreparedBatch[][] = []

onEachEngine(({ newAcme, dialect }) => {
  test('every number says what has happened', { timeout: 240_000 }, async () => {
    const random = createRandom(seed)
    const world = await makeWorld(await newAcme())
    const projectIds = [world.web, world.other]
    const wanted = { random, projectIds, now }
    const events = generateEvents({ ...wanted, count: isLong ? 900 : 740 })
    const visits = generateVisits({ ...wanted, count: isLong ? 500 : 250 })
    const sessions = generateSessions({ ...wanted, count: isLong ? 60 : 40 })
    const logs = placeInVisits(events, visits, random)
    // By the hour of their receipt: delivered late, they would be in another.
    const noise = generateEvents({ ...wanted, count: 30 }).map(event => ({ ...event, receivedAt: event.at }))
    const digest = digestOf(world)
    const sent = [
      ...events.map(deliverEvent),
      ...visits.map(deliverVisit),
      ...sessions.map(deliverSession),
      ...logs.map(deliverLog),
      ...noise.map(deliverNoise),
    ]
    const isRepeatable = ({ items, receivedAt }: Delivery) => items[0]?.type === 'event' && receivedAt < now - 60_000
    const batches = deliver(sent, random, { size: 200, isRepeatable })
    const repeats = batches.flat().filter(delivery => !sent.includes(delivery))
    await digest(0, batches)

    const ownOf = await ownEvents(world, events)
    const view = (at: number, projects = projectIds) => {
      vi.setSystemTime(at)
      world.clock.now = at
      // A copy, because caches belong to a store.
      const telemetry: Telemetry = { ...store.telemetry }
      return viewAs({ control: world.control, telemetry }, { projects, now: at })
    }
    const compare = async (at: number, whole: Part[], all: readonly ModelEvent[], parts: Part[] = everyPart) => {
      const report = createReport()
      const living = [...ownOf.values()].flat()
      const model = {
        viewer: view(at),
        now: at,
        ownOf,
        events: living,
        sent: all,
        visits,
        sessions,
        logs,
        noise,
        repeats,
        report,
      }
      for (const part of parts) await part({ ...model, isWhole: whole.includes(part) })
      expect(report.shorten()).toEqual([])
      return report.compared()
    }
    if (dialect === 'sqlite') expect(await compare(now, everyPart, events)).toBeGreaterThan(4_000)

    // In projects of its own: what is sampled cannot be compared event by event.
    const flooded = [await addProject(world, 'flooded'), await addProject(world, 'flooded-too')] as const
    const flood = generateFlood({ random, projectIds: flooded, now })
    await digest(1, deliver(flood.map(deliverEvent), random, { size: 200 }))
    const floodReport = createReport()
    await compareFloods({ viewer: view(now, [...flooded]), now, flood, report: floodReport })
    expect(floodReport.differences).toEqual([])

    const search = async (at: number) => {
      const target = { scope: projectIds, issueIds: [...ownOf.keys()].filter(id => id % 3 === 0) }
      const viewer = view(at)
      expect(await resolveIssues(world.context, { ...target, how: { kind: 'now' } })).toMatchObject({ ok: true })
      const searched = await compareSearches({ control: world.control, viewer, random, now: at, rounds: 22 }, ownOf)
      expect(searched.differences.slice(0, 3)).toEqual([])
      expect(searched.compared).toBeGreaterThan(20)
      expect(searched.found).toBeGreaterThan(100)
      await reopenIssues(world.context, target)
    }
    if (dialect === 'sqlite') await search(now)

    world.clock.now = now
    // Merged issues have the events of both, and a deleted one is in no number.
    const [first = 0, second = 0, gone = 0, back = 0] = [...ownOf].flatMap(([id, [event]]) =>
      event?.projectId === world.web && event.level !== 'warning' ? [id] : [],
    )
    await mergeIssues(world.context, { projectId: world.web, targetIssueId: first, issueIds: [second] })
    ownOf.set(
      first,
      [first, second].flatMap(id => ownOf.get(id) ?? []),
    )
    ownOf.delete(second)
    const deleted = ownOf.get(gone) ?? []
    expect(deleted.length).toBeGreaterThan(10)
    const deletion = await deleteIssues(world.context, { scope: [world.web], issueIds: [gone] })
    ownOf.delete(gone)

    // A resolved issue regresses, and the group of the deleted one comes back as an issue that begins with nothing.
    await resolveIssues(world.context, { scope: projectIds, issueIds: [back], how: { kind: 'now' } })
    const returned = [...(ownOf.get(back) ?? []).slice(0, 1), ...deleted.slice(0, 2)].map((event, index) => ({
      ...event,
      eventId: `${index + 1}`.repeat(32),
      // Also at a time that the deleted issue has counted.
      at: index === 2 ? event.at : now + 60_000,
      receivedAt: now + 60_000 + index,
      release: 'shop@1.2.0',
      traceId: '',
    }))
    await digest(2, [returned.map(deliverEvent)])
    const all = [...events, ...returned]
    const [regression, ...reborn] = returned
    if (regression) ownOf.set(back, [...(ownOf.get(back) ?? []), regression])
    const newId = Math.max(...(await ownEvents(world, all)).keys())
    ownOf.set(newId, reborn)
    // Of what reads the control database, PostgreSQL compares as much as SQLite did before.
    if (dialect === 'postgres') await compare(later, [compareIssues, compareReleases], all)
    else await compare(later, [], all, [compareIssues, compareReleases])
    if (dialect === 'postgres') await search(later)

    if (dialect === 'sqlite') {
      // Undo brings its events back, beside those that came since.
      const undo = deletion.ok ? deletion.undo : ''
      const undone = await undoChange(world.context, { scope: projectIds, undo, mayDo: () => true })
      expect(undone).toEqual({ ok: true, kind: 'deleted', changed: 1 })
      ownOf.delete(newId)
      ownOf.set(gone, [...deleted, ...reborn])
      await compare(later, [], all, [compareIssues, compareRoutes])
      return
    }
    // Deleted for good, with what it has added to sums.
    await purgeDeleted(world.control, store.telemetry, { kind: 'single' }, later + 3 * hourMs)
    for (const table of ['deleted_hash', 'deleted_period'] as const)
      expect(await world.control.db.selectFrom(table).selectAll().execute()).toEqual([])
    await compare(later, [], all, [compareReleases, compareRoutes])
  })
})

type Part = (model: Model) => Promise<void>
const everyPart: Part[] = [
  compareIssues,
  compareReleases,
  compareRoutes,
  compareTraces,
  compareExplore,
  compareTags,
  compareApi,
  compareOutcomes,
]

function digestOf(world: World) {
  const digest = createModelDigest(world.control, store)
  const commit = commitAgain(world.control)
  return async (step: number, batches: Parameters<typeof digest>[0][]): Promise<void> => {
    const known = written[step]
    if (known) return commit(known)
    const made: PreparedBatch[] = []
    for (const batch of batches) made.push(await digest(batch))
    written[step] = made
  }
}

async function addProject({ control, context, web }: World, slug: string): Promise<number> {
  const projects = control.db.selectFrom('project').select('organization_id').where('id', '=', web)
  const { organization_id: organizationId } = await projects.executeTakeFirstOrThrow()
  const made = await createProject(context, { organizationId, slug })
  if (!made.ok) throw new Error(made.code)
  return made.project.id
}

/** The events of each issue, by what its title says. */
async function ownEvents(
  { control, web, other }: World,
  events: readonly ModelEvent[],
): Promise<Map<number, readonly ModelEvent[]>> {
  const rows = await control.db
    .selectFrom('issue')
    .select(['id', 'project_id', 'title'])
    .where('project_id', 'in', [web, other])
    .orderBy('id')
    .execute()
  const byGroup = Map.groupBy(events, ({ projectId, type }) => `${projectId} ${type}`)
  const found = rows.map(row => [row.id, `${row.project_id} ${row.title.split(':')[0]}`] as const)
  expect(new Set(found.map(([, key]) => key))).toEqual(new Set(byGroup.keys()))
  return new Map(found.map(([id, key]) => [id, byGroup.get(key) ?? []]))
}
