/** Server and browser that report to different projects of an organization. */
import { expect, test } from 'vitest'
import type { PreparedBatch } from '#digest/prepared-batch.ts'
import { type Viewer, withJoinedReads } from '#domain/access/viewer.ts'
import type { IssueEventFilter } from '#domain/events/event-scope.ts'
import { findEvent } from '#domain/events/find-event.ts'
import { findLinkedEvent } from '#domain/events/find-linked-event.ts'
import { findShownEvent } from '#domain/events/find-shown-event.ts'
import { listCachedAttachments } from '#domain/events/list-attachments.ts'
import type { EventChoice } from '#domain/events/pick-event.ts'
import { type EventPlace, findRecommended } from '#domain/events/recommended-event.ts'
import { countIssue } from '#domain/issues/count-issue.ts'
import { findIssue, type Issue } from '#domain/issues/find-issue.ts'
import { listTagShares } from '#domain/issues/list-tag-shares.ts'
import { readAroundEvent } from '#domain/issues/read-around-event.ts'
import { findUsualShares } from '#domain/issues/usual-shares.ts'
import { listEventLines } from '#domain/logs/find-log.ts'
import { createProject } from '#domain/projects/create-project.ts'
import { findSpanPosition } from '#domain/traces/find-span-position.ts'
import type { Query } from '#store/telemetry/query.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { viewAs } from '../view-as.ts'
import { onPostgres } from './on-each-engine.ts'
import { newId, startStore, useServerErrors } from './server-error-world.ts'

let sayings = 0
/** All worlds share one telemetry store: where a test reads the events of a group, the group is its own. */
const newSaying = (): string => `The bell is ${'very '.repeat(++sayings)}silent`

startStore()

onPostgres(engine => {
  const scene = useServerErrors(engine)
  const { prepare, settle, digest, waiting, pass } = scene

  /** `web: Error: The shelf is empty ×1`, by the slug of the project. */
  const issuesByProject = async () =>
    (
      await scene.world.control.db
        .selectFrom('issue')
        .innerJoin('issue_hash', 'issue_hash.issue_id', 'issue.id')
        .innerJoin('project', 'project.id', 'issue.project_id')
        .select(['project.slug', 'issue.title', 'issue_hash.event_count'])
        .orderBy('project.slug')
        .orderBy('issue.id')
        .execute()
    ).map(({ slug, title, event_count }) => `${slug}: ${title} ×${event_count}`)
  // Each with a cache of its own: the issues of the next world have the same numbers.
  const viewerOf = (...projects: number[]) =>
    viewAs({ control: scene.world.control, telemetry: { ...scene.telemetry } }, { projects })
  const issueOf = async (viewer: Viewer, projectId: number) => {
    const row = await scene.world.control.db
      .selectFrom('issue')
      .select('id')
      .where('project_id', '=', projectId)
      .execute()
    const issue = await findIssue(viewer, row[0]?.id ?? 0)
    if (issue === null) throw new Error('there is no issue')
    return issue
  }
  const addStrangers = async () => {
    const { id } = await scene.world.control.db
      .insertInto('organization')
      .values({ slug: 'strangers', name: 'strangers', created_at: Date.now() })
      .returning('id')
      .executeTakeFirstOrThrow()
    const made = await createProject(scene.world.context, { organizationId: id, slug: 'theirs' })
    if (!made.ok) throw new Error(made.code)
    return made.project.id
  }

  test('where the server reports to another project, its browsers’ errors are one issue of theirs per group of the server', async () => {
    const [one, two, three] = [newId(), newId(), newId()]
    const onServer = { isServer: true, projectId: scene.world.other }
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

  test('the project’s own server error is the cause, even if another project’s of the trace comes first', async () => {
    const [lately, trace, alone] = [newId(), newId(), newId()]
    const service = { isServer: true, projectId: scene.world.other, value: 'The stock is closed' }
    await digest({ trace: lately, isServer: true, value: 'The till is open' })
    pass(5_000)
    await digest({ trace, ...service }, { trace })
    expect(await waiting()).toBe(1)
    pass(5_000)
    await digest({ trace, isServer: true })
    expect(await waiting()).toBe(0)
    await digest({ trace: alone, ...service }, { trace: alone })
    expect(await waiting()).toBe(1)
    pass(61_000)
    await digest()
    expect(await waiting()).toBe(0)
    expect(await issuesByProject()).toEqual([
      'other: Error: The stock is closed ×2',
      'web: Error: The till is open ×1',
      'web: Error: The shelf is empty ×1',
      'web: Error: The stock is closed ×1',
    ])
  })

  test('each of the two issues leads to the other, and only those who may see both are led', async () => {
    const trace = newId()
    await digest({ trace }, { trace, isServer: true, projectId: scene.world.other, value: newSaying() })
    const viewer = viewerOf(scene.world.web, scene.world.other)
    const [browsers, servers] = [await issueOf(viewer, scene.world.web), await issueOf(viewer, scene.world.other)]
    const latest = async (issue: Issue) => {
      const row = scene.last?.rows.events.find(({ project_id }) => project_id === issue.projectId)
      const event = await findEvent(viewer, issue, row?.event_id ?? '')
      if (event === null) throw new Error('there is no event')
      return event
    }
    const [seen, thrown] = [await latest(browsers), await latest(servers)]
    const onServer = await findLinkedEvent(viewer, browsers, { of: seen, isOnServer: true, filter: {} })
    expect([onServer?.issue.id, onServer?.event.event_id, onServer?.isSameTrace]).toEqual([
      servers.id,
      thrown.event_id,
      true,
    ])
    const inBrowser = await findLinkedEvent(viewer, servers, { of: thrown, isOnServer: false, filter: {} })
    expect([inBrowser?.issue.id, inBrowser?.event.event_id]).toEqual([browsers.id, seen.event_id])
    const narrow = viewerOf(scene.world.web)
    expect(await findLinkedEvent(narrow, browsers, { of: seen, isOnServer: true, filter: {} })).toBeNull()
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
    const viewer = viewerOf(scene.world.web)
    const shown = async (choice: EventChoice, filter: IssueEventFilter = {}) => {
      const issue = await issueOf(viewer, scene.world.web)
      const found = await findShownEvent(viewer, issue, choice, { within: 'issue', filter })
      return [found?.event.event_id, (await found?.picked)?.newer]
    }
    expect(await shown({ kind: 'latest' })).toEqual([ids.server, ids.browser])
    expect(await shown({ kind: 'recommended' })).toEqual([ids.server, ids.browser])
    // Digest has kept that one, though the browser's has a user.
    expect((await findRecommended(viewer, await issueOf(viewer, scene.world.web), {}))?.event_id).toBe(ids.server)
    expect(await shown({ kind: 'id', eventId: ids.browser })).toEqual([ids.browser, null])
    const asked = { kind: 'field', key: 'platform', isNegated: false, comparison: '=', start: 0, end: 0 } as const
    const terms = [{ ...asked, values: [{ parts: ['javascript'] }] }]
    expect(await shown({ kind: 'latest' }, { terms })).toEqual([ids.browser, null])
    // A cached failure that reaches another visitor has no server event of its own: the newest of the issue has the same stack.
    pass(3_000)
    await digest({ eventId: ids.cached, digest: '42' })
    expect((await shown({ kind: 'latest' }))[0]).toBe(ids.server)
  })

  test('what the user saw is found before it is counted and long after, and is not looked for where no browser has reported', async () => {
    const trace = newId()
    const ids = { server: newId(), browser: newId(), alone: newId() }
    const thrown = { isServer: true, value: newSaying(), digest: '43' }
    await digest({ trace, eventId: ids.server, ...thrown })
    const before = await issueOf(viewerOf(scene.world.web), scene.world.web)
    pass(3_000)
    await digest({ trace, eventId: ids.browser, digest: '43' })
    const lookUp = async (eventId: string, issue?: Issue) => {
      let statements = 0
      const telemetry: Telemetry = {
        ...scene.telemetry,
        query: query => {
          statements++
          return scene.telemetry.query(query)
        },
      }
      const viewer = viewAs({ control: scene.world.control, telemetry }, { projects: [scene.world.web] })
      const found = issue ?? (await issueOf(viewer, scene.world.web))
      const of = await findEvent(viewer, found, eventId)
      if (of === null) throw new Error('there is no event')
      statements = 0
      const linked = await findLinkedEvent(viewer, found, { of, isOnServer: false, filter: {} })
      return [linked?.event.event_id, statements > 0]
    }
    expect(await lookUp(ids.server, before)).toEqual([ids.browser, true])
    pass(600_000)
    expect(await lookUp(ids.server)).toEqual([ids.browser, true])
    pass(7_200_000)
    await digest({ trace: newId(), eventId: ids.alone, ...thrown })
    expect(await lookUp(ids.alone)).toEqual([undefined, true])
    pass(600_000)
    expect(await lookUp(ids.alone)).toEqual([undefined, false])
  })

  test('the page of an issue, or of one of its events, asks for its event first, and in three statements', async () => {
    const thrown = { isServer: true, value: newSaying() }
    const ids = { detailed: newId(), newest: newId() }
    await digest({ trace: newId(), ...thrown })
    pass(3_000)
    await digest({ trace: newId(), eventId: ids.detailed, user: { id: 'u-1' }, ...thrown })
    pass(3_000)
    await digest({ trace: newId(), eventId: ids.newest, ...thrown })
    // What nobody has sent is not asked for.
    await scene.world.control.db.updateTable('project_stats').set({ sent_kinds: 7 }).execute()
    const filtered = { kind: 'field', key: 'user.id', isNegated: false, comparison: '=', start: 0, end: 0 } as const
    const terms = [{ ...filtered, values: [{ parts: ['u-1'] }] }]
    const cases: [EventChoice, IssueEventFilter, string][] = [
      [{ kind: 'recommended' }, {}, ids.detailed],
      [{ kind: 'recommended' }, { rangeMs: 86_400_000 }, ids.detailed],
      [{ kind: 'recommended' }, { terms }, ids.detailed],
      [{ kind: 'latest' }, {}, ids.newest],
      [{ kind: 'latest' }, { terms }, ids.detailed],
      [{ kind: 'id', eventId: ids.newest }, {}, ids.newest],
    ]
    for (const [choice, filter, expected] of cases) {
      const asked: string[] = []
      const counted =
        <Answer>(ask: (query: Query<Answer>) => Promise<unknown>) =>
        (query: Query<Answer>) => {
          asked.push(query.query)
          return ask(query)
        }
      const { query, columns } = scene.telemetry
      const telemetry = { ...scene.telemetry, query: counted(query), columns: counted(columns) } as Telemetry
      const { soon: viewer, late } = withJoinedReads(
        viewAs({ control: scene.world.control, telemetry }, { projects: [scene.world.web] }),
      )
      // Read once in ten minutes, whatever is shown.
      await findUsualShares(viewer, scene.world.web)
      asked.length = 0
      const issue = await issueOf(viewer, scene.world.web)
      const kept = choice.kind === 'recommended' ? await findRecommended(viewer, issue, filter) : null
      const onPlace = (place: EventPlace) => readAroundEvent(late, issue, place)
      const [shown, , shares] = await Promise.all([
        findShownEvent(viewer, issue, choice, { within: 'issue', filter, kept, onPlace }),
        countIssue(viewer, issue, filter),
        listTagShares(viewer, issue, filter),
      ])
      if (!shown) throw new Error('there is no event')
      expect([shown.event.event_id, shares.length > 0]).toEqual([expected, true])
      await Promise.all([
        findSpanPosition(viewer, shown.event),
        listCachedAttachments(viewer, issue, shown.event),
        listEventLines(viewer, shown.event),
      ])
      // Event, newest events, and once for all that surrounds it.
      expect(asked).toHaveLength(3)
      expect(asked[0]).toContain('tags, data')
      expect(asked[2]).toContain('UNION ALL')
    }
  })

  test('an unknown id is no event of the issue', async () => {
    await digest({ trace: newId(), isServer: true, value: newSaying() })
    const viewer = viewerOf(scene.world.web)
    const issue = await issueOf(viewer, scene.world.web)
    expect(await findShownEvent(viewer, issue, { kind: 'id', eventId: newId() }, { within: 'issue' })).toBeNull()
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
    expect(await scene.world.control.db.selectFrom('linked_group').select('group_hash').execute()).toEqual([])
  })

  test('its own project comes first, and a service behind the page is no explanation', async () => {
    const trace = newId()
    const service = { trace, isServer: true, projectId: scene.world.other, route: '/api/stock', mechanism: 'generic' }
    await digest({ ...service, value: 'No stock' })
    await digest({ trace })
    expect(await waiting()).toBe(1)
    await digest({ trace, isServer: true, projectId: scene.world.other, value: 'Elsewhere' }, { trace, isServer: true })
    expect(await issuesByProject()).toEqual([
      'other: Error: No stock ×1',
      'other: Error: Elsewhere ×1',
      'web: Error: The shelf is empty ×1',
    ])
  })

  test('across projects a digest leads on once a trace has, and a repeat does what the first attempt did', async () => {
    const sent = { trace: newId(), digest: '3836656008' }
    await digest({ ...sent, isServer: true, projectId: scene.world.other }, sent)
    const next = { digest: '3836656008', eventId: newId() }
    const first = await prepare([next])
    await scene.world.control.db.deleteFrom('error_digest').execute()
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
