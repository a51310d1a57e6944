/** How a browser's redacted error finds the server error behind it, and what the two count as. */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { eventCount, userCount } from '#domain/events/event-condition.ts'
import { countUsers, decodeUserSketch } from '#lib/user-sketch.ts'
import { readFrameworkCaptures } from '../read-framework-captures.ts'
import { onPostgres } from './on-each-engine.ts'
import { newId, startStore, useServerErrors } from './server-error-world.ts'

startStore()

onPostgres(engine => {
  const scene = useServerErrors(engine)
  const { sealNext, prepare, write, settle, digest, issues, waiting, isDue, pass } = scene

  test('a browser’s error of the same batch is in the issue of the server’s', async () => {
    const trace = newId()
    await digest({ trace }, { trace, isServer: true })
    expect(await issues()).toEqual(['Error: The shelf is empty ×1'])
    expect(await waiting()).toBe(0)
  })

  const failures = [
    ['rr', 'rr-loader-error-soft', 'Error: Stock of chair is not known'],
    ['rr', 'rr-action-error', 'Error: Stock of table is not known'],
    ['remix', 'remix-loader-error', 'Error: Stock of chair is not known'],
    ['remix', 'remix-render-error', "TypeError: Cannot read properties of null (reading 'price')"],
    ['tss', 'tss-action-error', 'Error: Stock of table is not known'],
    ['tss2', 'tss2-loader-error-document', 'Error: Stock of chair is not known'],
    ['tss2', 'tss2-loader-error-soft', 'Error: Stock of chair is not known'],
    ['vite', 'vite-deferred', 'Error: Reviews are gone'],
  ] as const
  test.each((['server', 'browser'] as const).flatMap(first => failures.map(failure => [first, ...failure] as const)))(
    'a failure that both sides of an app report is one issue and counts once, the %s’s first: %s, %s',
    async (first, app, name, title) => {
      const recorded = readFrameworkCaptures(app).get(name) ?? []
      const [servers, browsers] = [true, false].map(isServer =>
        recorded.filter(({ body }) => body.includes('"exception"') && body.includes('"platform":"node"') === isServer),
      )
      expect(browsers?.length).toBeGreaterThan(0)
      const batches = first === 'server' ? [servers, browsers] : [browsers, servers]
      for (const batch of batches) await scene.digestRecorded(batch ?? [])
      expect([await issues(), await waiting()]).toEqual([[`${title} ×${servers?.length}`], 0])
    },
  )

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
    expect(await isDue()).toBe(false)
    await settle(two)
    expect([await issues(), await waiting()]).toEqual([['Error: The shelf is empty ×1'], 1])
    expect(await isDue()).toBe(true)
    await digest()
    expect([await issues(), await waiting()]).toEqual([['Error: The shelf is empty ×1'], 0])
  })

  /** What the issue says, what its hours and days say, and what scene.telemetry says of the same events. */
  const counts = async () => {
    const { db } = scene.world.control
    const [hash] = await db.selectFrom('issue_hash').select(['event_count', 'user_count']).execute()
    const periods = [
      ...(await db.selectFrom('hash_hour').select(['event_count', 'user_sketch']).execute()),
      ...(await db.selectFrom('hash_day').select(['event_count', 'user_sketch']).execute()),
    ].map(row => `${row.event_count} of ${row.user_sketch ? countUsers(decodeUserSketch(row.user_sketch)) : 0}`)
    const sums = await scene.telemetry.query({
      query: `SELECT ${eventCount} AS events, ${userCount} AS users FROM event_index AS events WHERE project_id = {web:UInt64} AND startsWith(batch_id, {inbox:String})`,
      params: { web: scene.world.web, inbox: scene.inboxId },
      schema: z.object({ events: z.coerce.number(), users: z.coerce.number() }),
    })
    const routes = await scene.telemetry.query({
      query: `SELECT sum(count) AS errors FROM route_sums WHERE project_id = {web:UInt64} AND startsWith(batch_id, {inbox:String}) AND measure = 'error'`,
      params: { web: scene.world.web, inbox: scene.inboxId },
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
    expect(await scene.world.control.db.selectFrom('deferred_user').select('event_id').execute()).toEqual([])
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
    expect(await isDue()).toBe(false)
    pass(2_000)
    expect(await isDue()).toBe(true)
    await digest()
    expect(await counts()).toEqual(once)
    expect(await isDue()).toBe(false)
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
    await write(first)
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
    expect(await isDue()).toBe(false)
    pass(2_000)
    expect(await isDue()).toBe(true)
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
    expect(await scene.world.control.db.selectFrom('batch_plan').select('batch').execute()).toEqual([])
  })

  test('what a batch under way has released is not released again by the next', async () => {
    await digest({ trace: newId() })
    pass(61_000)
    const one = await prepare([])
    const two = await prepare([{ isServer: true }], { before: one })
    expect([one.plan.released.length, two.plan.released.length]).toEqual([1, 0])
    await settle(one)
    await settle(two)
    expect(scene.last?.rows.events).toHaveLength(1)
    expect(await waiting()).toBe(0)
  })

  test('a repeat of a batch that was never planned releases nothing that waits now', async () => {
    await digest({ trace: newId() })
    pass(61_000)
    sealNext()
    expect((await prepare([{ isServer: true }], { isRepeat: true })).plan.released).toEqual([])
  })
})
