/** The numbers of a list that asks nothing of single events, as digest has counted them. */
import { beforeEach, expect, test } from 'vitest'
import type { EdgeCount } from '#domain/issues/list/count-edge.ts'
import { findCountedPeriods } from '#domain/issues/list/count-in-range.ts'
import { countInControl, findInControl } from '#domain/issues/list/find-in-control.ts'
import { type IssueSort, sparkShape } from '#domain/issues/list/issue-filter.ts'
import { viewAs } from '../view-as.ts'
import { digestEvents } from './digest-events.ts'
import { onEachEngine } from './on-each-engine.ts'
import { makeWorld, startedAt, type World } from './workflow-world.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

onEachEngine(({ newAcme }) => {
  let world: World
  beforeEach(async () => {
    world = await makeWorld(await newAcme())
  })

  const range = (rangeMs: number) => ({ from: startedAt - rangeMs, to: startedAt })
  const viewer = () => viewAs({ control: world.control }, { projects: [world.web], now: startedAt })
  const idOf = async (title: string) => {
    const row = await world.control.db
      .selectFrom('issue')
      .select('id')
      .where('title', 'like', `${title}%`)
      .executeTakeFirstOrThrow()
    return row.id
  }
  /** Nothing happened in the hour or day in which the range begins. */
  const edgeCounts: EdgeCount[] = []
  async function count(title: string, rangeMs: number) {
    const counted = await findCountedPeriods(viewer(), undefined, range(rangeMs))
    if (!counted) return null
    const issue = { id: await idOf(title), projectId: world.web, hashes: [] }
    const counts = await countInControl(
      viewer().control,
      [issue],
      { ...counted, edgeCounts },
      sparkShape(range(rangeMs)),
    )
    return counts.get(issue.id)
  }

  test('a row counts the events and people of the chosen time, each person once', async () => {
    const old = { type: 'RangeError', at: startedAt - 20 * dayMs, user: 'ada' }
    await digestEvents(world, [old, { type: 'RangeError', user: 'ada' }])
    await digestEvents(world, [{ type: 'RangeError', user: 'bob' }, { type: 'RangeError' }])
    expect(await count('RangeError', dayMs)).toMatchObject({ events: 3, users: 2 })
    expect(await count('RangeError', 30 * dayMs)).toMatchObject({ events: 4, users: 2 })
  })

  test('bars end with the hour that is not over yet', async () => {
    await digestEvents(world, [{ at: startedAt - 3 * hourMs }, { at: startedAt - 3 * hourMs }, {}])
    const counts = await count('TypeError', dayMs)
    expect(counts?.bars).toHaveLength(25)
    expect(counts?.bars.slice(-4)).toEqual([2, 0, 0, 1])
  })

  test('urgency and events sort by the chosen time, not by what was long ago', async () => {
    const loudBefore = Array.from({ length: 5 }, () => ({ type: 'LoudError', at: startedAt - 10 * dayMs }))
    await digestEvents(world, [...loudBefore, { type: 'LoudError' }, { type: 'QuietError' }, { type: 'QuietError' }])
    const order = async (sort: IssueSort, rangeMs: number) => {
      const periods = await findCountedPeriods(viewer(), undefined, range(rangeMs))
      const counted = periods && { ...periods, edgeCounts }
      const query = {
        now: startedAt,
        conditions: [],
        range: range(rangeMs),
        counted,
        sort,
        after: undefined,
        limit: 10,
      }
      return (await findInControl(viewer().control, query)).hits.map(hit => hit.id)
    }
    const [loud, quiet] = [await idOf('LoudError'), await idOf('QuietError')]
    for (const sort of ['urgency', 'events'] as const) {
      expect(await order(sort, dayMs)).toEqual([quiet, loud])
      expect(await order(sort, 30 * dayMs)).toEqual([loud, quiet])
    }
  })

  test('a clock that jumps within a batch costs no event its hour or day', async () => {
    const at = (receivedAt: number) => ({ receivedAt, at: receivedAt })
    const jumps = [-40 * dayMs, -2 * hourMs, 0, 2 * hourMs, 26 * hourMs, 40 * dayMs]
    for (const last of jumps)
      await digestEvents(world, [...jumps.map(jump => at(startedAt + jump)), at(startedAt + last)])
    const sum = async (table: 'hash_hour' | 'hash_day') => {
      const rows = await world.control.db.selectFrom(table).select('event_count').execute()
      return { rows: rows.length, events: rows.reduce((total, row) => total + row.event_count, 0) }
    }
    const events = jumps.length * (jumps.length + 1)
    expect(await sum('hash_hour')).toEqual({ rows: jumps.length, events })
    expect((await sum('hash_day')).events).toBe(events)
  })

  test('what was counted before there were days is left to telemetry, and an hour is too', async () => {
    await digestEvents(world, [{ at: startedAt - 20 * dayMs }, {}])
    expect(await findCountedPeriods(viewer(), undefined, range(hourMs))).toBeNull()
    expect(await findCountedPeriods(viewer(), undefined, range(30 * dayMs))).not.toBeNull()
    await world.control.db
      .deleteFrom('hash_day')
      .where('day', '<', Math.floor(startedAt / dayMs) - 5)
      .execute()
    expect(await findCountedPeriods(viewer(), undefined, range(30 * dayMs))).toBeNull()
  })
})
