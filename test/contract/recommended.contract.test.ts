/** The event that an issue opens with, as digest keeps it and as a query finds it. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findBestEvent } from '#domain/events/find-event.ts'
import { findShownEvent } from '#domain/events/find-shown-event.ts'
import { readNewestEvents } from '#domain/events/newest-events.ts'
import { findRecommended } from '#domain/events/recommended-event.ts'
import { haveSent } from '#domain/events/sent-kinds.ts'
import { deleteIssues } from '#domain/issues/commands/delete-issues.ts'
import { mergeIssues } from '#domain/issues/commands/merge-issues.ts'
import { dayOf } from '#domain/issues/counters/counted-event.ts'
import { findIssue } from '#domain/issues/find-issue.ts'
import { purgeDeleted } from '#jobs/purge-deleted.ts'
import { writeEvents } from '#store/telemetry/write-events.ts'
import { createIds } from '../create-ids.ts'
import { viewAs } from '../view-as.ts'
import { digestEvents, type SentError } from './digest-events.ts'
import { onEachEngine } from './on-each-engine.ts'
import { borrowTelemetry, type TelemetryUnderTest } from './start-telemetry.ts'
import { makeWorld, type World } from './workflow-world.ts'

const dayMs = 86_400_000
const newId = createIds('recommended')
let store: TelemetryUnderTest
let types = 0

beforeAll(async () => {
  store = await borrowTelemetry()
})
afterAll(() => store?.stop())

onEachEngine(({ newAcme }) => {
  let world: World
  /** The store is shared by all tests, so each has a group of its own. */
  let type: string
  beforeEach(async () => {
    world = await makeWorld(await newAcme())
    type = `Recommended${++types}Error`
  })

  async function send(...errors: SentError[]): Promise<void> {
    const batch = await digestEvents(
      world,
      errors.map(error => ({ type, value: `${error.type ?? type} happened`, ...error })),
    )
    await writeEvents(store.telemetry, {
      rows: batch.rows.events,
      batchId: newId(),
      mayHaveArrived: false,
      isSuspect: false,
    })
  }
  /** With a cache of its own, and the issue as it is now. */
  async function look(issueId?: number) {
    const viewer = viewAs(
      { control: world.control, telemetry: { ...store.telemetry } },
      { projects: [world.web, world.other], now: world.clock.now },
    )
    const row = await world.control.db.selectFrom('issue').select('id').orderBy('id').executeTakeFirstOrThrow()
    const issue = await findIssue(viewer, issueId ?? row.id)
    if (!issue) throw new Error('there is no issue')
    return { viewer, issue }
  }
  async function shown(filter = {}, issueId?: number) {
    const { viewer, issue } = await look(issueId)
    return (await findShownEvent(viewer, issue, { kind: 'recommended' }, { within: 'issue', filter }))?.event.event_id
  }
  const ago = (days: number): { at: number } => ({ at: world.clock.now - days * dayMs })

  describe('the recommended event', () => {
    test('is the newest, unless an older one tells more', async () => {
      const ids = { traced: newId(), named: newId(), bare: newId(), all: newId() }
      await send({ eventId: ids.bare, ...ago(0) })
      expect(await shown()).toBe(ids.bare)
      await send({ eventId: ids.named, user: 'u-1', ...ago(0.9) })
      expect(await shown()).toBe(ids.named)
      // A trace is worth as much as a user: a day. One that is older by more than that says too little.
      await send({ eventId: ids.traced, trace: newId(), ...ago(1.5) })
      expect(await shown()).toBe(ids.named)
      await send({ eventId: ids.all, trace: newId(), user: 'u-2', ...ago(1.5) })
      expect(await shown()).toBe(ids.all)
    })

    test('is the same in whichever order events arrive, and a query finds the same', async () => {
      const errors: SentError[] = Array.from({ length: 60 }, (_, index) => ({
        eventId: newId(),
        ...ago(((index * 37) % 60) / 12),
        ...(index % 3 === 0 ? { user: `u-${index}` } : {}),
        ...(index % 5 === 0 ? { trace: newId() } : {}),
      }))
      // Two with the same rank: the id decides.
      errors.push({ ...errors[0], eventId: newId() }, { ...errors[0], eventId: newId() })
      const orders = [
        errors,
        errors.toReversed(),
        errors.toSorted((a, b) => (a.eventId ?? '').localeCompare(b.eventId ?? '')),
      ]
      const kept: (string | undefined)[] = []
      for (const [turn, order] of orders.entries()) {
        if (turn > 0) await world.control.db.deleteFrom('recommended_event').execute()
        for (let start = 0; start < order.length; start += 7)
          await digestEvents(
            world,
            order.slice(start, start + 7).map(error => ({ type, value: `${type} happened`, ...error })),
          )
        const { viewer, issue } = await look()
        kept.push((await findRecommended(viewer, issue, {}))?.event_id)
      }
      expect(new Set(kept).size).toBe(1)
      await send(...errors)
      const { viewer, issue } = await look()
      expect((await findBestEvent(viewer, issue, { by: 'rank', filter: {} }))?.event_id).toBe(kept[0])
    })

    test('of a client whose clock is ahead does not stay', async () => {
      const [ahead, next] = [newId(), newId()]
      await send({ eventId: ahead, at: world.clock.now + 50_000 })
      world.clock.now += 10_000
      await send({ eventId: next })
      expect(await shown()).toBe(next)
    })

    test('of merged issues is the best of both, and is found by where it stands', async () => {
      const [first, second] = [newId(), newId()]
      await send({ eventId: first, user: 'u-1' })
      await send({ eventId: second, type: `${type}Two` })
      const ids = (await world.control.db.selectFrom('issue').select('id').orderBy('id').execute()).map(({ id }) => id)
      await mergeIssues(world.context, { projectId: world.web, targetIssueId: ids[0] ?? 0, issueIds: ids })
      expect(await shown()).toBe(first)
    })

    test('of a range is within it', async () => {
      const [old, recent] = [newId(), newId()]
      await send(
        { eventId: old, user: 'u-1', trace: newId(), environment: 'production', ...ago(1) },
        { eventId: recent, ...ago(0.1) },
      )
      expect(await shown()).toBe(old)
      expect(await shown({ rangeMs: dayMs / 2 })).toBe(recent)
      expect(await shown({ from: world.clock.now - 2 * dayMs, to: world.clock.now - dayMs / 2 })).toBe(old)
      expect(await shown({ environment: 'production' })).toBe(old)
      expect(await shown({ environment: 'staging' })).toBeUndefined()
    })

    test('is another one when it is gone', async () => {
      const [kept, left] = [newId(), newId()]
      await send({ eventId: left, ...ago(0.1) })
      await digestEvents(world, [{ type, value: `${type} happened`, eventId: kept, user: 'u-1' }])
      expect(await shown()).toBe(left)
    })

    test('of a deleted issue is forgotten with it', async () => {
      const kept = () => world.control.db.selectFrom('recommended_event').select('event_id').execute()
      await send({})
      const { issue } = await look()
      await deleteIssues(world.context, { scope: [world.web], issueIds: [issue.id] })
      expect(await kept()).toHaveLength(1)
      await purgeDeleted(world.control, store.telemetry, { kind: 'single' }, world.clock.now + 60 * dayMs)
      expect(await kept()).toEqual([])
    })
  })

  test('the newest events of a busy issue are found by the days that digest has counted, or without them', async () => {
    const { rows } = await digestEvents(world, [{ type, value: `${type} happened`, ...ago(20) }])
    const [template] = rows.events
    if (!template) throw new Error('there is no event')
    const write = (count: number, from: number, to: number) =>
      writeEvents(store.telemetry, {
        rows: Array.from({ length: count }, (_, index) => ({
          ...template,
          event_id: newId(),
          timestamp: Math.round(world.clock.now - dayMs * (from + ((to - from) * index) / count)),
        })),
        batchId: newId(),
        mayHaveArrived: false,
        isSuspect: false,
      })
    /** As digest would have counted them, each of them for many. */
    const count = async (days: number, events: number) => {
      const { project_id, group_version, group_hash } = template
      await world.control.db.deleteFrom('hash_day').execute()
      for (let day = 0; day < days; day++)
        await world.control.db
          .insertInto('hash_day')
          .values({
            ...{ project_id, group_version, group_hash },
            day: dayOf(world.clock.now - day * dayMs),
            event_count: events,
            user_sketch: null,
          })
          .execute()
      await world.control.db
        .updateTable('issue_hash')
        .set({ event_count: days * events, first_seen: world.clock.now - 20 * dayMs, last_seen: world.clock.now })
        .execute()
    }
    const newest = async () => {
      const { viewer, issue } = await look()
      const { ids, occurrences, isComplete } = await readNewestEvents(viewer, issue, {})
      return [ids.length, Math.floor((world.clock.now - (occurrences.at(-1)?.at ?? 0)) / dayMs), isComplete]
    }
    await write(600, 9, 19)
    await count(20, 2_000)
    expect(await newest()).toEqual([600, 18, true])
    await write(900, 0, 3)
    expect(await newest()).toEqual([1_000, 10, false])
    await write(1_000, 0, 3)
    await count(20, 900)
    expect(await newest()).toEqual([1_000, 1, false])
  })

  test('what projects have never sent is known', async () => {
    await send({})
    const kinds = async () => {
      const { viewer } = await look()
      return Promise.all((['spans', 'logs', 'attachments'] as const).map(kind => haveSent(viewer, kind)))
    }
    expect(await kinds()).toEqual([false, false, false])
    await send({ hasFile: true })
    expect(await kinds()).toEqual([false, false, true])
    await send({})
    expect(await kinds()).toEqual([false, false, true])
    const { viewer } = await look()
    expect(await haveSent(viewer, 'attachments', [world.web])).toBe(true)
    // Nothing is known of a project whose batches are not digested here.
    expect(await haveSent(viewer, 'logs', [world.other])).toBe(true)
  })
})
