import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { commitBatch } from '#digest/commit-batch.ts'
import { filterBatch } from '#digest/filter-batch.ts'
import { hasDueEvents } from '#digest/link/plan-batch.ts'
import type { PreparedBatch } from '#digest/prepared-batch.ts'
import { processRecord } from '#digest/process-record.ts'
import { writeRows } from '#digest/write-batch.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import { eventCount, userCount } from '#domain/events/event-condition.ts'
import type { IssueEventFilter } from '#domain/events/event-scope.ts'
import { findEvent } from '#domain/events/find-event.ts'
import { findLinkedEvent, findShownEvent } from '#domain/events/find-linked-event.ts'
import type { EventChoice } from '#domain/events/pick-event.ts'
import { findIssue, type Issue } from '#domain/issues/find-issue.ts'
import { createProject } from '#domain/projects/create-project.ts'
import { countUsers, decodeUserSketch } from '#lib/user-sketch.ts'
import { openBlobs } from '#store/blobs/open-blobs.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { makeRecord, testContext } from '../make-record.ts'
import { onEachEngine } from './on-each-engine.ts'
import { startTelemetry, type TelemetryUnderTest } from './start-telemetry.ts'
import { makeWorld, type World } from './workflow-world.ts'

const echoText = 'Minified React error #441; visit https://react.dev/errors/441 for the full message'
let sayings = 0
/** All worlds share one telemetry store: where a test reads the events of a group, the group is its own. */
const newSaying = (): string => `The bell is ${'very '.repeat(++sayings)}silent`
const newId = (): string => randomUUID().replaceAll('-', '')

let store: TelemetryUnderTest
let telemetry: Telemetry
beforeAll(async () => {
  store = await startTelemetry()
  ;({ telemetry } = store)
})
afterAll(async () => {
  vi.useRealTimers()
  await store?.stop()
})

type Sent = {
  trace?: string
  digest?: string
  value?: string
  isServer?: boolean
  route?: string
  mechanism?: string
  projectId?: number
  eventId?: string
  user?: { id?: string; ip_address?: string }
}

onEachEngine(({ newControl }) => {
  let world: World
  let inboxId: string
  let batches: number
  let last: PreparedBatch | null
  beforeEach(async () => {
    world = await makeWorld(await newControl())
    inboxId = newId()
    batches = 0
    last = null
    vi.useFakeTimers({ toFake: ['Date'], now: world.clock.now })
  })

  const processSent = ({ trace, digest, value = 'The shelf is empty', isServer = false, ...sent }: Sent) => {
    const { route = '/shelf', projectId = world.web } = sent
    const event_id = sent.eventId ?? newId()
    const type = sent.mechanism ?? (isServer ? 'auto.function.nextjs.on_request_error' : 'generic')
    const mechanism = { type, handled: false }
    const payload = {
      event_id,
      timestamp: Date.now() / 1_000,
      platform: isServer ? 'node' : 'javascript',
      transaction: isServer ? `GET ${route}` : route,
      exception: { values: [{ type: 'Error', value: isServer ? value : echoText, mechanism }] },
      contexts: trace ? { trace: { trace_id: trace, span_id: 'a'.repeat(16) } } : {},
      tags: digest ? { digest } : {},
      user: sent.user,
    }
    const head = { projectId, receivedAt: Date.now() }
    const record = makeRecord([{ type: 'event', payload }], { event_id }, head)
    return { processed: processRecord(record, testContext), spool: null, receivedAt: Date.now() }
  }
  const prepare = (sent: Sent[], { isRepeat = false, before = null as PreparedBatch | null } = {}) => {
    if (!isRepeat) batches += 1
    return filterBatch({
      control: world.control,
      telemetry,
      inboxId,
      seal: { batch: batches, segment: 1, start: 0, endSegment: 1, end: batches },
      records: sent.map(processSent),
      previous: before,
      mayHaveArrived: isRepeat,
      isRepeated: () => false,
    })
  }
  const stores = () => ({
    telemetry,
    blobs: openBlobs({ dataDir: store.folder, blobsUrl: undefined }),
    retentionDays: 30,
  })
  const settle = async (batch: PreparedBatch) => {
    const fate = await writeRows(batch, stores())
    expect(fate.kind).toBe('done')
    await commitBatch(world.control, inboxId, batch)
    last = batch
    return batch
  }
  const digest = async (...sent: Sent[]) => settle(await prepare(sent))
  const issues = async () =>
    (
      await world.control.db
        .selectFrom('issue')
        .innerJoin('issue_hash', 'issue_hash.issue_id', 'issue.id')
        .select(['issue.title', 'issue_hash.event_count'])
        .orderBy('issue.id')
        .execute()
    ).map(({ title, event_count }) => `${title} ×${event_count}`)
  const waiting = async () => (await world.control.db.selectFrom('held_event').select('event_id').execute()).length
  const pass = (ms: number) => {
    vi.setSystemTime(Date.now() + ms)
  }

  test('a browser’s error of the same batch is in the issue of the server’s', async () => {
    const trace = newId()
    await digest({ trace }, { trace, isServer: true })
    expect(await issues()).toEqual(['Error: The shelf is empty ×1'])
    expect(await waiting()).toBe(0)
  })

  test('a browser’s error finds the server’s that came before it', async () => {
    const trace = newId()
    await digest({ trace, isServer: true })
    await digest({ trace })
    expect(await issues()).toEqual(['Error: The shelf is empty ×1'])
  })

  test('a browser’s error waits for the server’s', async () => {
    const trace = newId()
    await digest({ trace })
    expect([await issues(), await waiting()]).toEqual([[], 1])
    pass(5_000)
    await digest({ trace, isServer: true })
    expect([await issues(), await waiting()]).toEqual([['Error: The shelf is empty ×1'], 0])
  })

  test('where the server’s came while the wait was being written down, a batch without records brings them together', async () => {
    const trace = newId()
    const one = await prepare([{ trace }])
    const two = await prepare([{ trace, isServer: true }], { before: one })
    await settle(one)
    expect(await hasDueEvents({ control: world.control, telemetry, inboxId })).toBe(false)
    await settle(two)
    expect([await issues(), await waiting()]).toEqual([['Error: The shelf is empty ×1'], 1])
    expect(await hasDueEvents({ control: world.control, telemetry, inboxId })).toBe(true)
    await digest()
    expect([await issues(), await waiting()]).toEqual([['Error: The shelf is empty ×1'], 0])
  })

  /** What the issue says, what its hours and days say, and what telemetry says of the same events. */
  const counts = async () => {
    const { db } = world.control
    const [hash] = await db.selectFrom('issue_hash').select(['event_count', 'user_count']).execute()
    const periods = [
      ...(await db.selectFrom('hash_hour').select(['event_count', 'user_sketch']).execute()),
      ...(await db.selectFrom('hash_day').select(['event_count', 'user_sketch']).execute()),
    ].map(row => `${row.event_count} of ${row.user_sketch ? countUsers(decodeUserSketch(row.user_sketch)) : 0}`)
    const sums = await telemetry.query({
      query: `SELECT ${eventCount} AS events, ${userCount} AS users FROM event_index AS events WHERE project_id = {web:UInt64} AND startsWith(batch_id, {inbox:String})`,
      params: { web: world.web, inbox: inboxId },
      schema: z.object({ events: z.coerce.number(), users: z.coerce.number() }),
    })
    const routes = await telemetry.query({
      query: `SELECT sum(count) AS errors FROM route_sums WHERE project_id = {web:UInt64} AND startsWith(batch_id, {inbox:String}) AND measure = 'error'`,
      params: { web: world.web, inbox: inboxId },
      schema: z.object({ errors: z.coerce.number() }),
    })
    return {
      issue: `${hash?.event_count} of ${hash?.user_count}`,
      periods: [...new Set(periods)],
      telemetry: `${sums[0]?.events} of ${sums[0]?.users}`,
      routes: routes[0]?.errors,
    }
  }
  const once = { issue: '1 of 1', periods: ['1 of 1'], telemetry: '1 of 1', routes: 1 }
  const known = { user: { id: 'u-42', ip_address: '203.0.113.9' } }
  const address = { isServer: true, user: { ip_address: '10.0.0.7' } }

  test.each([
    { order: 'together', batches: [['browser', 'server']] },
    { order: 'the server’s first', batches: [['server'], ['browser']] },
    { order: 'the browser’s first', batches: [['browser'], ['server']] },
  ])('one failure of one user is one event of one user: $order', async ({ batches: order }) => {
    const trace = newId()
    const sent = { browser: { trace, ...known }, server: { trace, ...address } }
    for (const sides of order) {
      await digest(...sides.map(side => sent[side as 'browser' | 'server']))
      pass(3_000)
    }
    pass(61_000)
    await digest()
    expect(await counts()).toEqual(once)
    expect(await world.control.db.selectFrom('deferred_user').select('event_id').execute()).toEqual([])
  })

  test('the same user who fails again, in another order, is still one, and another one behind the same address is a second', async () => {
    const [one, two, three] = [newId(), newId(), newId()]
    await digest({ trace: one, ...address })
    await digest({ trace: one, ...known })
    await digest({ trace: two, ...known }, { trace: two, ...address })
    expect(await counts()).toMatchObject({ issue: '2 of 1', telemetry: '2 of 1' })
    await digest({ trace: three, ...address })
    await digest({ trace: three, user: { id: 'u-43' } })
    pass(61_000)
    await digest()
    expect(await counts()).toEqual({ issue: '3 of 2', periods: ['3 of 2'], telemetry: '3 of 2', routes: 3 })
  })

  test('an address that no browser puts a name to is a user after a minute, also without new events', async () => {
    await digest({ trace: newId(), ...address })
    expect(await counts()).toMatchObject({ issue: '1 of 0', telemetry: '1 of 1' })
    pass(59_000)
    expect(await hasDueEvents({ control: world.control, telemetry, inboxId })).toBe(false)
    pass(2_000)
    expect(await hasDueEvents({ control: world.control, telemetry, inboxId })).toBe(true)
    await digest()
    expect(await counts()).toEqual(once)
    expect(await hasDueEvents({ control: world.control, telemetry, inboxId })).toBe(false)
  })

  test('whom the server names wins over an address that the browser’s report came from', async () => {
    const trace = newId()
    await digest({ trace, isServer: true, user: { id: 'u-42' } })
    await digest({ trace, user: { ip_address: '203.0.113.9' } })
    expect(await counts()).toEqual(once)
  })

  test('a linked pair that is digested again after a kill counts once', async () => {
    const trace = newId()
    await digest({ trace, ...address })
    const browser = { trace, ...known, eventId: newId() }
    const first = await prepare([browser])
    expect((await writeRows(first, stores())).kind).toBe('done')
    // The server's event is another one by now, as far as anybody can ask: the plan still knows.
    const again = await prepare([browser], { isRepeat: true })
    expect([again.plan.linked, again.rows.events]).toEqual([first.plan.linked, first.rows.events])
    await settle(again)
    expect(await counts()).toEqual(once)
  })

  test('a failure whose route the server does not know counts for the browser’s', async () => {
    const trace = newId()
    await digest({ trace, ...address, route: '' }, { trace, ...known })
    expect(await counts()).toEqual(once)
  })

  test('of several browsers that say one digest without a trace the server’s event answers for one', async () => {
    const sent = { digest: '3836656008' }
    await digest({ ...sent, ...address }, { ...sent, ...known }, { ...sent, user: { id: 'u-43' } })
    expect(await counts()).toMatchObject({ issue: '2 of 2', telemetry: '2 of 2' })
  })

  test('a page from a cache that names an old trace fails anew', async () => {
    const trace = newId()
    await digest({ trace, ...address })
    pass(3_600_000)
    await digest({ trace, ...known })
    expect(await counts()).toMatchObject({ issue: '2 of 2' })
  })

  test('after a minute alone it is an issue of its route', async () => {
    await digest(
      { trace: newId(), route: '/shelf' },
      { trace: newId(), route: '/shelf' },
      { trace: newId(), route: '/cart' },
    )
    pass(59_000)
    expect(await hasDueEvents({ control: world.control, telemetry, inboxId })).toBe(false)
    pass(2_000)
    expect(await hasDueEvents({ control: world.control, telemetry, inboxId })).toBe(true)
    await digest()
    expect((await issues()).map(line => line.split(' ×')[1]).sort()).toEqual(['1', '2'])
    expect(await waiting()).toBe(0)
  })

  test('a digest that was joined once needs no trace the next time', async () => {
    const trace = newId()
    await digest({ trace, isServer: true }, { trace, digest: '3836656008' })
    await digest({ digest: '3836656008' })
    expect(await issues()).toEqual(['Error: The shelf is empty ×2'])
  })

  test('an error without trace and digest does not wait', async () => {
    await digest({})
    expect([(await issues()).length, await waiting()]).toEqual([1, 0])
  })

  test('a batch that is digested again after a crash does what it did, whatever has come since', async () => {
    const trace = newId()
    await digest({ trace })
    pass(61_000)
    const first = await prepare([{ isServer: true, value: 'Another' }])
    expect(first.plan.released).toHaveLength(1)
    pass(10_000)
    const again = await prepare([{ isServer: true, value: 'Another' }], { isRepeat: true })
    expect(again.plan).toEqual(first.plan)
    expect(again.rows.events.map(row => row.group_hash)).toEqual(first.rows.events.map(row => row.group_hash))
    await settle(again)
    expect([(await issues()).length, await waiting()]).toEqual([2, 0])
    expect(await world.control.db.selectFrom('batch_plan').select('batch').execute()).toEqual([])
  })

  test('what a batch under way has released is not released again by the next', async () => {
    await digest({ trace: newId() })
    pass(61_000)
    const one = await prepare([])
    const two = await prepare([{ isServer: true }], { before: one })
    expect([one.plan.released.length, two.plan.released.length]).toEqual([1, 0])
    await settle(one)
    await settle(two)
    expect(last?.rows.events).toHaveLength(1)
    expect(await waiting()).toBe(0)
  })

  test('a repeat of a batch that was never planned releases nothing that waits now', async () => {
    await digest({ trace: newId() })
    pass(61_000)
    batches += 1
    expect((await prepare([{ isServer: true }], { isRepeat: true })).plan.released).toEqual([])
  })

  /** `web: Error: The shelf is empty ×1`, by the slug of the project. */
  const issuesByProject = async () =>
    (
      await world.control.db
        .selectFrom('issue')
        .innerJoin('issue_hash', 'issue_hash.issue_id', 'issue.id')
        .innerJoin('project', 'project.id', 'issue.project_id')
        .select(['project.slug', 'issue.title', 'issue_hash.event_count'])
        .orderBy('project.slug')
        .orderBy('issue.id')
        .execute()
    ).map(({ slug, title, event_count }) => `${slug}: ${title} ×${event_count}`)
  const viewerOf = (...ids: number[]) =>
    ({
      control: world.control,
      telemetry,
      // What is remembered of one world's issues must not be told of the next one's, which have the same numbers.
      organization: { id: inboxId },
      projects: ids.map(id => ({ id })),
      now: Date.now(),
    }) as unknown as Viewer
  const issueOf = async (viewer: Viewer, projectId: number) => {
    const row = await world.control.db.selectFrom('issue').select('id').where('project_id', '=', projectId).execute()
    const issue = await findIssue(viewer, row[0]?.id ?? 0)
    if (issue === null) throw new Error('there is no issue')
    return issue
  }
  const addStrangers = async () => {
    const { id } = await world.control.db
      .insertInto('organization')
      .values({ slug: 'strangers', name: 'strangers', created_at: Date.now() })
      .returning('id')
      .executeTakeFirstOrThrow()
    const made = await createProject(world.context, { organizationId: id, slug: 'theirs' })
    if (!made.ok) throw new Error(made.code)
    return made.project.id
  }

  test('where the server reports to another project, its browsers’ errors are one issue of theirs per group of the server', async () => {
    const [one, two, three] = [newId(), newId(), newId()]
    const onServer = { isServer: true, projectId: world.other }
    // In one batch, after the server's, and before it.
    await digest({ trace: one }, { trace: one, ...onServer })
    await digest({ trace: one })
    await digest({ trace: two })
    expect(await waiting()).toBe(1)
    pass(5_000)
    await digest({ trace: two, ...onServer })
    await digest({ trace: three, ...onServer, value: 'The till is open' }, { trace: three })
    expect(await issuesByProject()).toEqual([
      'other: Error: The shelf is empty ×2',
      'other: Error: The till is open ×1',
      'web: Error: The shelf is empty ×3',
      'web: Error: The till is open ×1',
    ])
    expect(await waiting()).toBe(0)
  })

  test('each of the two issues leads to the other, and only those who may see both are led', async () => {
    const trace = newId()
    await digest({ trace }, { trace, isServer: true, projectId: world.other, value: newSaying() })
    const viewer = viewerOf(world.web, world.other)
    const [browsers, servers] = [await issueOf(viewer, world.web), await issueOf(viewer, world.other)]
    const latest = async (issue: Issue) => {
      const row = last?.rows.events.find(({ project_id }) => project_id === issue.projectId)
      const event = await findEvent(viewer, issue, row?.event_id ?? '')
      if (event === null) throw new Error('there is no event')
      return event
    }
    const [seen, thrown] = [await latest(browsers), await latest(servers)]
    const onServer = await findLinkedEvent(viewer, browsers, { of: seen, isOnServer: true })
    expect([onServer?.issue.id, onServer?.event.event_id, onServer?.isSameTrace]).toEqual([
      servers.id,
      thrown.event_id,
      true,
    ])
    const inBrowser = await findLinkedEvent(viewer, servers, { of: thrown, isOnServer: false })
    expect([inBrowser?.issue.id, inBrowser?.event.event_id]).toEqual([browsers.id, seen.event_id])
    const narrow = viewerOf(world.web)
    expect(await findLinkedEvent(narrow, browsers, { of: seen, isOnServer: true })).toBeNull()
    const shown = async (who: Viewer, within: 'issue' | 'organization') =>
      (await findShownEvent(who, browsers, { kind: 'latest' }, { within }))?.event.event_id
    expect(await shown(viewer, 'organization')).toBe(thrown.event_id)
    expect(await shown(viewer, 'issue')).toBe(seen.event_id)
    expect(await shown(narrow, 'organization')).toBe(seen.event_id)
  })

  test('the newest and the recommended event of an issue are the server’s, not a browser’s redacted report', async () => {
    const [trace, before] = [newId(), newId()]
    const ids = { server: newId(), browser: newId(), cached: newId() }
    const thrown = { isServer: true, value: newSaying(), digest: '42' }
    await digest({ trace: before, ...thrown })
    pass(3_000)
    await digest({ trace, eventId: ids.server, ...thrown })
    pass(3_000)
    await digest({ trace, eventId: ids.browser, digest: '42', user: { id: 'u-42' } })
    const viewer = viewerOf(world.web)
    const shown = async (choice: EventChoice, filter: IssueEventFilter = {}) => {
      const issue = await issueOf(viewer, world.web)
      const found = await findShownEvent(viewer, issue, choice, { within: 'issue', filter })
      return [found?.event.event_id, found?.picked.newer]
    }
    expect(await shown({ kind: 'latest' })).toEqual([ids.server, ids.browser])
    expect(await shown({ kind: 'recommended' })).toEqual([ids.server, ids.browser])
    expect(await shown({ kind: 'id', eventId: ids.browser })).toEqual([ids.browser, null])
    const asked = { kind: 'field', key: 'platform', isNegated: false, comparison: '=', start: 0, end: 0 } as const
    const terms = [{ ...asked, values: [{ parts: ['javascript'] }] }]
    expect(await shown({ kind: 'latest' }, { terms })).toEqual([ids.browser, null])
    // A cached failure that reaches another visitor has no server event of its own: the newest of the issue has the same stack.
    pass(3_000)
    await digest({ eventId: ids.cached, digest: '42' })
    expect((await shown({ kind: 'latest' }))[0]).toBe(ids.server)
  })

  test('another organization explains nothing, though it names the same trace and the same digest', async () => {
    const theirs = await addStrangers()
    const sent = { trace: newId(), digest: '3836656008' }
    await digest({ ...sent, isServer: true, projectId: theirs, value: 'A secret' })
    await digest(sent, { ...sent, isServer: true, projectId: theirs, value: 'A secret' })
    pass(61_000)
    await digest({ ...sent, isServer: true, projectId: theirs, value: 'A secret' })
    const found = await issuesByProject()
    expect(found.filter(line => line.startsWith('theirs'))).toEqual(['theirs: Error: A secret ×3'])
    expect(found.filter(line => line.startsWith('web'))).toHaveLength(1)
    expect(found.filter(line => line.startsWith('web')).join()).not.toContain('secret')
    expect(await world.control.db.selectFrom('linked_group').select('group_hash').execute()).toEqual([])
  })

  test('its own project comes first, and a service behind the page is no explanation', async () => {
    const trace = newId()
    const service = { trace, isServer: true, projectId: world.other, route: '/api/stock', mechanism: 'generic' }
    await digest({ ...service, value: 'No stock' })
    await digest({ trace })
    expect(await waiting()).toBe(1)
    await digest({ trace, isServer: true, projectId: world.other, value: 'Elsewhere' }, { trace, isServer: true })
    expect(await issuesByProject()).toEqual([
      'other: Error: No stock ×1',
      'other: Error: Elsewhere ×1',
      'web: Error: The shelf is empty ×1',
    ])
  })

  test('across projects a digest leads on once a trace has, and a repeat does what the first attempt did', async () => {
    const sent = { trace: newId(), digest: '3836656008' }
    await digest({ ...sent, isServer: true, projectId: world.other }, sent)
    const next = { digest: '3836656008', eventId: newId() }
    const first = await prepare([next])
    await world.control.db.deleteFrom('error_digest').execute()
    const again = await prepare([next], { isRepeat: true })
    const hashesOf = ({ rows }: PreparedBatch) => rows.events.map(row => row.group_hash)
    expect([again.plan, hashesOf(again)]).toEqual([first.plan, hashesOf(first)])
    await settle(again)
    expect(await issuesByProject()).toEqual([
      'other: Error: The shelf is empty ×1',
      'web: Error: The shelf is empty ×2',
    ])
  })
})
