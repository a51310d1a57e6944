import { beforeEach, expect, test } from 'vitest'
import { setFilter } from '#domain/filters/filters.ts'
import { digestEvents, type SentError } from './digest-events.ts'
import { onEachEngine } from './on-each-engine.ts'
import { makeWorld, type World } from './workflow-world.ts'

const resize: SentError = {
  type: 'Error',
  value: 'ResizeObserver loop limit exceeded',
  platform: 'javascript',
}
const chunk: SentError = { type: 'ChunkLoadError', value: 'Loading chunk 12 failed.', platform: 'javascript' }

onEachEngine(({ newAcme }) => {
  let world: World
  beforeEach(async () => {
    world = await makeWorld(await newAcme())
  })

  const choose = (rule: string, mode: 'on' | 'off' | 'sample', keepOneIn = 10) =>
    setFilter(world.context, { organizationId: 1, projectId: world.web, rule, mode, keepOneIn })
  const pass = (ms: number) => {
    world.clock.now += ms
  }

  test('noise is not kept, is counted by its rule, and the newest of it can be looked at', async () => {
    const batch = await digestEvents(world, [resize, resize, {}])
    expect(batch.rows.events.map(row => row.type)).toEqual(['TypeError'])
    expect(batch.outcomes.map(({ kind, reason, quantity }) => `${kind}/${reason} ${quantity}`)).toEqual([
      'filtered/resize-observer 1',
      'filtered/resize-observer 1',
    ])
    const examples = await world.control.db.selectFrom('filtered_example').selectAll().execute()
    expect(examples.map(({ rule, title }) => `${rule}: ${title}`)).toEqual(
      Array(2).fill('resize-observer: Error: ResizeObserver loop limit exceeded'),
    )
    expect(await world.control.db.selectFrom('issue').select('id').execute()).toHaveLength(1)
  })

  test('examples are bounded', async () => {
    for (let at = 0; at < 3; at++) {
      pass(1_000)
      await digestEvents(world, Array(15).fill(resize))
    }
    const examples = await world.control.db.selectFrom('filtered_example').select('at').execute()
    expect(examples).toHaveLength(20)
  })

  test('a choice counts for what is received after it begins, and a repeat of an earlier batch is judged as before', async () => {
    const receivedBefore = world.clock.now
    expect(await choose('resize-observer', 'off')).toEqual({ ok: true })
    expect((await digestEvents(world, [resize])).rows.events).toHaveLength(0)
    pass(5_000)
    expect((await digestEvents(world, [resize])).rows.events).toHaveLength(1)
    world.clock.now = receivedBefore
    expect((await digestEvents(world, [resize])).rows.events).toHaveLength(0)
  })

  test('a sample stands for the rest, and is the same on every repeat', async () => {
    await choose('resize-observer', 'sample', 10)
    pass(5_000)
    const sent = Array.from({ length: 200 }, (_, at) => ({ ...resize, eventId: at.toString(16).padStart(32, '0') }))
    const batch = await digestEvents(world, sent)
    expect(batch.rows.events.map(row => row.weight)).toEqual(Array(20).fill(10))
    expect(batch.outcomes).toHaveLength(180)
    const { event_count } = await world.control.db.selectFrom('issue_hash').selectAll().executeTakeFirstOrThrow()
    expect(event_count).toBe(200)
  })

  test('hydration and deploy skew are signals, until somebody wants them gone', async () => {
    expect((await digestEvents(world, [chunk])).rows.events).toHaveLength(1)
    await choose('chunk-loads', 'on')
    pass(5_000)
    expect((await digestEvents(world, [chunk])).outcomes.map(({ reason }) => reason)).toEqual(['chunk-loads'])
  })

  test('a project of somebody else is not touched, and its choice not taken', async () => {
    await setFilter(world.context, {
      organizationId: 1,
      projectId: world.other,
      rule: 'resize-observer',
      mode: 'off',
      keepOneIn: 1,
    })
    pass(5_000)
    expect((await digestEvents(world, [resize])).rows.events).toHaveLength(0)
  })
})
