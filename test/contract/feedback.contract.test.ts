/** What users write: each message is an issue of its own kind, in its own list, and in no number of errors. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { commitBatch } from '#digest/commit-batch.ts'
import { filterBatch } from '#digest/filter-batch.ts'
import { processRecord } from '#digest/process-record.ts'
import { explore } from '#domain/explore/explore.ts'
import { findRelatedError, findReportReplay, listSimilar } from '#domain/feedback/find-related.ts'
import { countUnreadFeedback, type FeedbackView, listFeedback } from '#domain/feedback/list-feedback.ts'
import { listReports } from '#domain/feedback/list-reports.ts'
import { archiveIssues } from '#domain/issues/commands/archive-issues.ts'
import { assignIssues } from '#domain/issues/commands/assign-issues.ts'
import { markIssueSeen } from '#domain/issues/commands/comment-on-issue.ts'
import { deleteIssues } from '#domain/issues/commands/delete-issues.ts'
import { resolveIssues } from '#domain/issues/commands/resolve-issues.ts'
import { undoChange } from '#domain/issues/commands/undo-change.ts'
import { countIssueViews } from '#domain/issues/count-issue-views.ts'
import { findIssue } from '#domain/issues/find-issue.ts'
import { listIssues } from '#domain/issues/list-issues.ts'
import { catchUpMirror } from '#domain/issues/mirror/write-mirror.ts'
import { purgeDeleted } from '#jobs/purge-deleted.ts'
import { reconcile } from '#jobs/reconcile/reconcile.ts'
import { parseSearch } from '#search/parse-search.ts'
import { listTelemetryMigrations } from '#store/telemetry/list-migrations.ts'
import { renderStatements } from '#store/telemetry/table-layout.ts'
import { writeBatch } from '#store/telemetry/write-batch.ts'
import { writeEvents } from '#store/telemetry/write-events.ts'
import { createIds } from '../create-ids.ts'
import { makeRecord, type TestItem, testContext } from '../make-record.ts'
import { viewAs } from '../view-as.ts'
import { onEachEngine, silentLog } from './on-each-engine.ts'
import { borrowTelemetry, type TelemetryUnderTest } from './start-telemetry.ts'
import { makeWorld, type World } from './workflow-world.ts'

const dayMs = 86_400_000
const single = { kind: 'single' } as const
const nextId = createIds('feedback')
let store: TelemetryUnderTest
let batches = 0
beforeAll(async () => {
  store = await borrowTelemetry()
})
afterAll(() => store?.stop())

type Words = { message: string; name?: string; email?: string; route?: string; errorId?: string; replayId?: string }

const smallestPng = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

onEachEngine(({ newAcme, dialect }) => {
  /** What reads telemetry alone is the same on both. */
  const testOnce = test.skipIf(dialect === 'postgres')
  let world: World
  beforeEach(async () => {
    for (const table of ['events', 'event_index', 'issue_state', 'feedback', 'attachments', 'replays'])
      await store.telemetry.command(`TRUNCATE TABLE ${table}`)
    world = await makeWorld(await newAcme())
    world.clock.now = Date.now()
  })

  const viewer = () =>
    viewAs(
      { control: world.control, telemetry: store.telemetry },
      {
        projects: [{ id: world.web, slug: 'web', name: 'web', isInternal: false }],
        user: { id: world.userId, name: 'Ada', email: 'ada@example.com' },
        now: world.clock.now + 1_000,
      },
    )
  const stores = () => ({ control: world.control, telemetry: store.telemetry })
  const catchUp = () => catchUpMirror(stores(), { now: () => world.clock.now, mayGoOn: async () => true })

  /** One record in a batch of its own, through digest up to both stores. */
  async function send(items: TestItem[], id = nextId()): Promise<string> {
    world.clock.now += 1_000
    batches += 1
    await digest(items, id)
    return id
  }

  /** `before`: 0.1.0 writes the events, and is killed. `repeat`: this version finds what it has left. */
  async function digest(items: TestItem[], id: string, run?: 'before' | 'repeat'): Promise<void> {
    const mayHaveArrived = run === 'repeat'
    const head = { projectId: world.web, receivedAt: world.clock.now }
    const context = { ...testContext, recordId: `inbox:${batches}:0` }
    const processed = processRecord(makeRecord(items, { event_id: id }, head), context)
    expect(processed.faults).toEqual([])
    const batch = await filterBatch({
      control: world.control,
      telemetry: store.telemetry,
      inboxId: 'inbox',
      seal: { batch: batches, segment: 1, start: 0, endSegment: 1, end: batches },
      records: [{ processed, spool: null, receivedAt: world.clock.now }],
      previous: null,
      mayHaveArrived,
      isRepeated: () => false,
    })
    const write = { batchId: batch.batchId, mayHaveArrived, isSuspect: false }
    if (run === 'before') {
      const rows = batch.rows.events.filter(({ kind }) => kind !== 'feedback')
      return void (await writeEvents(store.telemetry, { ...write, rows }))
    }
    await writeEvents(store.telemetry, { ...write, rows: batch.rows.events })
    for (const table of ['feedback', 'attachments', 'replays'] as const)
      if (batch.rows[table].length > 0)
        await writeBatch(store.telemetry, { ...write, table, rows: batch.rows[table] as never })
    await commitBatch(world.control, 'inbox', batch)
  }
  const write = ({ message, name, email, route = '/checkout', errorId, replayId }: Words, files: TestItem[] = []) => {
    const feedback = {
      message,
      name,
      contact_email: email,
      source: 'widget',
      associated_event_id: errorId,
      replay_id: replayId,
    }
    const event = {
      type: 'feedback',
      platform: 'javascript',
      timestamp: (world.clock.now + 1_000) / 1_000,
      transaction: route,
      release: 'web@1',
      environment: 'production',
      contexts: { feedback },
    }
    return send([{ type: 'feedback', payload: event }, ...files])
  }
  const fail = (type = 'TypeError', more: object = {}) =>
    send([
      {
        type: 'event',
        payload: {
          timestamp: (world.clock.now + 1_000) / 1_000,
          release: 'web@1',
          environment: 'production',
          platform: 'javascript',
          exception: { values: [{ type, value: `${type} happened` }] },
          ...more,
        },
      },
    ])
  const list = (view: FeedbackView = 'inbox', q = '', more: object = {}) => {
    const parsed = parseSearch(q)
    if (!parsed.ok) throw new Error(q)
    return listFeedback(viewer(), { terms: parsed.terms, rangeMs: 30 * dayMs, view, page: 1, ...more })
  }
  const messages = async (view?: FeedbackView, q?: string, more?: object) =>
    (await list(view, q, more)).rows.map(({ report }) => report?.message)
  const issues = async (q: string, more: object = {}) => {
    const parsed = parseSearch(q)
    if (!parsed.ok) throw new Error(q)
    const page = await listIssues(viewer(), { terms: parsed.terms, rangeMs: dayMs, sort: 'lastSeen', ...more })
    return page.issues.map(({ title }) => title)
  }
  const idOf = async (message: string): Promise<number> =>
    (await list()).rows.find(({ report }) => report?.message === message)?.id ?? 0
  const target = (issueId: number) => ({ scope: [world.web], issueIds: [issueId] })

  testOnce('a message is an issue of its own kind, with who wrote it and where', async () => {
    // As the feedback widget sends its screenshot.
    const headers = { filename: 'screenshot.png', content_type: 'application/png' }
    const picture = { type: 'attachment', headers, payload: smallestPng }
    await write({ message: 'Cannot place my order', name: 'Elin', email: 'elin@shop.example' }, [picture])
    const { rows, counts, total } = await list()
    expect(rows).toMatchObject([
      {
        kind: 'feedback',
        isSeen: false,
        hasPicture: true,
        report: { name: 'Elin', email: 'elin@shop.example', route: '/checkout', release: 'web@1', source: 'widget' },
      },
    ])
    expect([counts.inbox, counts.unread, total]).toEqual([1, 1, 1])
  })

  test('feedback is in no list of errors unless it is asked for', async () => {
    await fail()
    await write({ message: 'Cannot place my order' })
    await catchUp()
    for (const more of [{}, { environment: 'production' }, { sort: 'users' }]) {
      expect(await issues('', more)).toEqual(['TypeError: TypeError happened'])
      expect(await issues('is:unresolved', more)).toEqual(['TypeError: TypeError happened'])
      expect(await issues('issue.category:error', more)).toEqual(['TypeError: TypeError happened'])
      expect(await issues('issue.category:feedback', more)).toEqual(['Cannot place my order'])
      expect(await issues('!issue.category:feedback', more)).toEqual(['TypeError: TypeError happened'])
    }
    expect(await issues('WEB-2')).toEqual(['Cannot place my order'])
    expect(await issues('issue:WEB-2')).toEqual(['Cannot place my order'])
    for (const environment of [undefined, 'production'])
      expect((await countIssueViews(viewer(), { rangeMs: dayMs, environment })).unresolved).toBe(1)
    const query = { dataset: 'errors', fields: ['count()'], query: '', sort: [] }
    const range = { from: world.clock.now - dayMs, to: world.clock.now + dayMs }
    expect(await explore(viewer(), query, range, { limit: 10, offset: 0 })).toMatchObject({ rows: [{ 'count()': 1 }] })
  })

  testOnce('the same words about the same route are one issue with several messages', async () => {
    await write({ message: 'Cannot place my order 12!', name: 'Elin' })
    await write({ message: 'cannot place my ORDER 4711', name: 'Oskar' })
    await write({ message: 'cannot place my order 4711', route: '/cart' })
    const { rows } = await list()
    expect(rows.map(({ reports, report }) => [report?.route, reports])).toEqual([
      ['/cart', 1],
      ['/checkout', 2],
    ])
  })

  test('unread, mine, resolved and spam', async () => {
    for (const message of ['first one here', 'second one here', 'third one here', 'fourth one here'])
      await write({ message })
    const [first, second, third] = [
      await idOf('first one here'),
      await idOf('second one here'),
      await idOf('third one here'),
    ]
    await markIssueSeen(world.context, { userId: world.userId, issueId: first })
    await assignIssues(world.context, { ...target(first), assignee: `user:${world.userId}` })
    await resolveIssues(world.context, { ...target(second), how: { kind: 'now' } })
    const spam = await archiveIssues(world.context, { ...target(third), until: { kind: 'forever' } })
    expect(await messages('inbox')).toEqual(['fourth one here', 'first one here'])
    expect(await messages('unread')).toEqual(['fourth one here'])
    expect(await messages('mine')).toEqual(['first one here'])
    expect(await messages('resolved')).toEqual(['second one here'])
    expect(await messages('spam')).toEqual(['third one here'])
    expect((await list()).counts).toEqual({ inbox: 2, unread: 1, mine: 1, resolved: 1, spam: 1 })
    expect(await countUnreadFeedback(viewer())).toBe(1)
    await undoChange(world.context, { scope: [world.web], undo: spam.ok ? spam.undo : '', mayDo: () => true })
    expect(await messages('spam')).toEqual([])
  })

  test('messages are found by words, route and environment', async () => {
    await write({ message: 'The coupon is not valid', route: '/cart', email: 'k@shop.example' })
    await write({ message: 'Photos take very long' })
    await catchUp()
    expect(await messages('inbox', 'coupon')).toEqual(['The coupon is not valid'])
    expect(await messages('inbox', 'route:/cart')).toEqual(['The coupon is not valid'])
    expect(await messages('inbox', 'user.email:k@shop.example')).toEqual(['The coupon is not valid'])
    expect(await messages('inbox', '', { environment: 'staging' })).toEqual([])
  })

  testOnce('the error that a message is about, and what others wrote about it', async () => {
    const errorId = await fail()
    await write({ message: 'The page went blank', errorId, name: 'Elin' })
    await write({ message: 'It just says sorry', errorId, name: 'Oskar' })
    const issue = await findIssue(viewer(), await idOf('The page went blank'))
    if (!issue) throw new Error('no issue')
    const [report] = await listReports(viewer(), [issue], { perGroup: 10, limit: 10 })
    if (!report) throw new Error('no report')
    const related = await findRelatedError(viewer(), report)
    expect(related).toMatchObject({ eventId: errorId, isNamed: true, beforeMs: 1_000 })
    expect(related?.issue.title).toBe('TypeError: TypeError happened')
    expect(await listSimilar(viewer(), issue, related)).toMatchObject([
      { name: 'Oskar', message: 'It just says sorry' },
    ])
  })

  testOnce(
    'without a named error, the last one of the same replay is shown, and the replay up to the message',
    async () => {
      const replayId = nextId()
      const begun = world.clock.now
      const segment = {
        replay_id: replayId,
        segment_id: 0,
        replay_start_timestamp: begun / 1_000,
        timestamp: begun / 1_000,
      }
      await send([
        { type: 'replay_event', payload: segment },
        { type: 'replay_recording', payload: '{"segment_id":0}\n[]' },
      ])
      const errorId = await fail('RangeError', { contexts: { replay: { replay_id: replayId } } })
      await fail('OtherError')
      world.clock.now += 60_000
      await write({ message: 'Something is wrong here', replayId })
      const issue = await findIssue(viewer(), await idOf('Something is wrong here'))
      const [report] = issue ? await listReports(viewer(), [issue], { perGroup: 1, limit: 1 }) : []
      if (!report) throw new Error('no report')
      expect(await findRelatedError(viewer(), report)).toMatchObject({ eventId: errorId, isNamed: false })
      expect(await findReportReplay(viewer(), report)).toMatchObject({ startedAt: begun, at: report.at - begun })
    },
  )

  test('deleted feedback is gone from its own table too', async () => {
    await write({ message: 'please delete me soon' })
    await deleteIssues(world.context, target(await idOf('please delete me soon')))
    expect(await messages()).toEqual([])
    await purgeDeleted(world.control, store.telemetry, single, world.clock.now + dayMs)
    const [row] = await store.telemetry.query({
      query: 'SELECT count() AS rows FROM feedback LIMIT 1',
      schema: z.object({ rows: z.coerce.number() }),
    })
    expect(row?.rows).toBe(0)
  })

  test('feedback from before becomes issues, however often the migration runs', async () => {
    await write({ message: 'An old message of mine', name: 'Elin', email: 'elin@shop.example' })
    const report = {
      event_id: nextId(),
      name: 'Ann',
      email: 'ann@shop.example',
      comments: 'broken "again"\nsecond line',
    }
    await send([{ type: 'user_report', payload: report }])
    // As an older version left it: rows of feedback, and nothing else.
    for (const table of ['events', 'event_index']) await store.telemetry.command(`TRUNCATE TABLE ${table}`)
    await store.telemetry.command(
      `ALTER TABLE feedback UPDATE data = concat('{"comments":', toJSONString(message), '}') WHERE source = 'user_report' SETTINGS mutations_sync = 2`,
    )
    for (const table of ['issue_hash', 'hash_hour', 'hash_day', 'issue'] as const)
      await world.control.db.deleteFrom(table).execute()
    const migration = (await listTelemetryMigrations()).numbered.find(({ name }) => name === '0056-feedback-issues')
    for (const _ of [1, 2])
      for (const statement of renderStatements(migration?.sql ?? '', single)) await store.telemetry.command(statement)
    const options = { ...stores(), layout: single, retentionDays: 90, holder: 'test', log: silentLog as never }
    await reconcile({ ...options, isStopping: () => false }, () => world.clock.now)
    expect((await messages()).sort()).toEqual(['An old message of mine', 'broken "again"\nsecond line'])
    const rows = (await list()).rows
    expect(rows.map(({ title }) => title).sort()).toEqual(['An old message of mine', 'broken "again"'])
    expect(rows.map(({ report: found }) => found?.email).sort()).toEqual(['ann@shop.example', 'elin@shop.example'])
  })

  testOnce('a batch that 0.1.0 wrote without events of feedback gets them when it is repeated', async () => {
    const id = nextId()
    const items: TestItem[] = [
      { type: 'event', payload: { event_id: id, message: 'The error of the same batch' } },
      { type: 'user_report', payload: { event_id: id, name: 'Ann', email: '', comments: 'It broke while I paid' } },
    ]
    batches += 1
    await digest(items, id, 'before')
    await digest(items, id, 'repeat')
    const stored = await store.telemetry.query({
      query: 'SELECT (SELECT count() FROM events) AS events, (SELECT count() FROM event_index) AS indexed',
      schema: z.object({ events: z.coerce.number(), indexed: z.coerce.number() }),
    })
    expect(stored).toEqual([{ events: 2, indexed: 2 }])
    expect((await list()).rows.map(({ report }) => report?.message)).toEqual(['It broke while I paid'])
  })
})
