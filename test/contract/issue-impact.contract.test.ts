/** The impact of issues, as events arrive and time passes: lists of both stores have the same order. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { trimChanges } from '#domain/issues/change-log/read-changes.ts'
import { mergeIssues, unmergeIssues } from '#domain/issues/commands/merge-issues.ts'
import { scoreImpact } from '#domain/issues/impact/score-impact.ts'
import { type KnownUsers, updateImpact } from '#domain/issues/impact/update-impact.ts'
import { listIssues } from '#domain/issues/list-issues.ts'
import { catchUpMirror } from '#domain/issues/mirror/write-mirror.ts'
import { startImpactJob } from '#jobs/update-impact.ts'
import { parseSearch } from '#search/parse-search.ts'
import type { Control, ControlLocation } from '#store/control/open-control.ts'
import { writeEvents } from '#store/telemetry/write-events.ts'
import { viewAs } from '../view-as.ts'
import { digestEvents, type SentError } from './digest-events.ts'
import { onEachEngine, silentLog } from './on-each-engine.ts'
import { borrowTelemetry, type TelemetryUnderTest } from './start-telemetry.ts'
import { makeWorld, type World } from './workflow-world.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
let store: TelemetryUnderTest
beforeAll(async () => {
  store = await borrowTelemetry()
})
afterAll(() => store?.stop())

onEachEngine(({ newMigrated, open }) => {
  let place: ControlLocation
  let world: World
  let known: KnownUsers
  let batches = 0

  beforeEach(async () => {
    for (const table of ['events', 'event_index', 'issue_state'])
      await store.telemetry.command(`TRUNCATE TABLE ${table}`)
    place = await newMigrated()
    world = await makeWorld(open(place))
    world.clock.now = Math.floor(Date.now() / hourMs) * hourMs + hourMs / 2
    known = new Map()
  })

  async function send(...errors: SentError[]): Promise<void> {
    const { rows } = await digestEvents(world, errors)
    batches += 1
    const batch = { batchId: `impact-${batches}`, mayHaveArrived: false, isSuspect: false }
    await writeEvents(store.telemetry, { rows: rows.events, ...batch })
  }
  const times = (count: number, error: SentError) => Array.from({ length: count }, () => error)
  const usersOf = (type: string, users: number, error: SentError = {}) =>
    Array.from({ length: users }, (_, index) => ({ ...error, type, user: `user-${index}` }))
  const score = (control = world.control) =>
    updateImpact(control, { known, now: world.clock.now, mayGoOn: async () => true })
  const impacts = async (): Promise<Record<string, number>> => {
    const rows = await world.control.db.selectFrom('issue').select(['title', 'impact']).execute()
    return Object.fromEntries(rows.map(({ title, impact }) => [title.split(':')[0], impact]))
  }
  const idOf = async (type: string) =>
    (
      await world.control.db
        .selectFrom('issue')
        .select('id')
        .where('title', 'like', `${type}%`)
        .executeTakeFirstOrThrow()
    ).id
  const countLogged = async () =>
    (await world.control.db.selectFrom('issue_change').select('id').where('kind', '=', 'impact').execute()).length

  async function list(text: string, control: Control): Promise<string[]> {
    const parsed = parseSearch(text)
    if (!parsed.ok) throw new Error(parsed.faults[0]?.message)
    const projects = [{ id: world.web, slug: 'web', name: 'web', isInternal: false }]
    const viewer = viewAs({ control, telemetry: store.telemetry }, { projects, now: world.clock.now + 1_000 })
    const { issues } = await listIssues(viewer, { terms: parsed.terms, rangeMs: dayMs, sort: 'urgency', limit: 100 })
    return issues.map(({ title }) => title.split(':')[0] ?? '')
  }
  /** Every event has a platform, so telemetry finds the same issues. */
  async function order(control = world.control): Promise<string[]> {
    const listed = await list('', control)
    expect(await list('platform:node', control)).toEqual(listed)
    return listed
  }

  test('an error with a thousand events is above new noise, in both stores, with the mirror behind or not', async () => {
    const yesterday = world.clock.now - 20 * hourMs
    await send(...times(1_000, { type: 'CheckoutError', user: 'ada' }), ...usersOf('OldError', 5, { at: yesterday }))
    await send({ type: 'Noise', level: 'info', isHandled: true }, { type: 'Quiet' }, { type: 'Slow', level: 'warning' })
    await send(...usersOf('Popular', 3))
    await score()
    const expected = ['OldError', 'Popular', 'CheckoutError', 'Quiet', 'Slow', 'Noise']
    expect(await order()).toEqual(expected)
    await catchUpMirror(
      { control: world.control, telemetry: store.telemetry },
      { now: Date.now, mayGoOn: async () => true },
    )
    expect(await order()).toEqual(expected)
  })

  test('a score is written when it changes, and falls when an issue goes quiet', async () => {
    const began = world.clock.now
    await send(...usersOf('AError', 4), ...times(20, { type: 'BError' }))
    expect(await score()).toBe(2)
    expect(await impacts()).toEqual({
      AError: scoreImpact({ users: 4, eventsByHour: new Map() }, began),
      BError: scoreImpact({ users: 0, eventsByHour: new Map([[Math.floor(began / hourMs), 20]]) }, began),
    })
    expect(await score()).toBe(0)
    await send({ type: 'AError', user: 'user-0' })
    expect(await score()).toBe(0)
    await send(...usersOf('AError', 8).slice(4))
    expect(await score()).toBe(1)
    world.clock.now = began + 2 * hourMs
    expect(await score()).toBe(1)
    expect(await impacts()).toMatchObject({ BError: 0 })
    world.clock.now = began + 26 * hourMs
    expect(await score()).toBe(1)
    expect(await impacts()).toEqual({ AError: 0, BError: 0 })
    expect(await countLogged()).toBe(5)
    expect(await score()).toBe(0)
  })

  test('every number of users is scored as if nothing were known before', async () => {
    for (let users = 1; users <= 9; users++) {
      await send({ type: 'AError', user: `user-${users}` }, { type: 'AError', user: 'user-1' }, { type: 'AError' })
      await score()
      expect(await impacts()).toEqual({ AError: await freshImpact() })
    }
  })

  /** As after a restart. */
  async function freshImpact(): Promise<number> {
    known = new Map()
    const kept = await impacts()
    expect(await score()).toBe(0)
    return kept.AError ?? 0
  }

  test('a clock that was a day ahead leaves no score behind', async () => {
    await send(...usersOf('AError', 4), ...times(50, { type: 'BError' }))
    await score()
    const [right, listed] = [await impacts(), await order()]
    const began = world.clock.now
    world.clock.now = began + dayMs + 2 * hourMs
    await send({ type: 'AError', user: 'late' })
    await score()
    expect(await impacts()).not.toEqual(right)
    world.clock.now = began + 15_000
    await score()
    expect(await impacts()).toEqual(right)
    expect(await order()).toEqual(listed)
  })

  test('merged issues have the users of all, each once, and unmerged ones their own again', async () => {
    await send(...usersOf('AError', 2), ...usersOf('BError', 5), ...usersOf('CError', 3))
    await score()
    const before = await impacts()
    const [a, b] = [await idOf('AError'), await idOf('BError')]
    const merged = await mergeIssues(world.context, { projectId: world.web, targetIssueId: a, issueIds: [b] })
    await score()
    expect(await impacts()).toEqual({ ...before, AError: before.BError, BError: 0 })
    const hashes = merged.ok ? merged.moved : []
    await unmergeIssues(world.context, { projectId: world.web, issueId: a, hashes })
    await score()
    expect(await impacts()).toEqual(before)
  })

  test('two nodes that score at the same time list the same', async () => {
    const other = open(place)
    world.clock.now = Date.now()
    await send(...usersOf('AError', 2), ...usersOf('BError', 4), { type: 'CError' })
    const jobs = [world.control, other].map(control => startImpactJob({ control, log: silentLog }))
    await expect.poll(() => order(other)).toEqual(['BError', 'AError', 'CError'])
    await Promise.all(jobs.map(job => job.stop()))
    expect(await order()).toEqual(['BError', 'AError', 'CError'])
    await Promise.all([score(), score(other)])
    expect(await order()).toEqual(['BError', 'AError', 'CError'])
  })

  test('a run that is stopped is completed by the next one', async () => {
    await send(...usersOf('AError', 2))
    const stopped = { known, now: world.clock.now, mayGoOn: async () => false }
    expect(await updateImpact(world.control, stopped)).toBe(0)
    expect(await score()).toBe(1)
  })

  test('the log keeps scores for an hour after its readers have passed them', async () => {
    await send(...usersOf('AError', 2))
    await score()
    const { now } = world.clock
    const others = async () => (await world.control.db.selectFrom('issue_change').select('id').execute()).length
    expect(await trimChanges(world.control, now + 2 * hourMs)).toBe(0)
    await catchUpMirror(
      { control: world.control, telemetry: store.telemetry },
      { now: () => now, mayGoOn: async () => true },
    )
    expect(await trimChanges(world.control, now)).toBe(0)
    const before = await others()
    expect(await trimChanges(world.control, now + 2 * hourMs)).toBe(1)
    expect([await countLogged(), await others()]).toEqual([0, before - 1])
  })
})
