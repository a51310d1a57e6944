/** One full, slow or failing channel next to others, and how cheap it is to find out who is next. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { maxInWindow, windowMs } from '#domain/channels/delivery/candidate-channels.ts'
import { claimMessages, maxChannels } from '#domain/channels/delivery/claim-messages.ts'
import { listStuckChannels, stuckAfterMs } from '#domain/channels/delivery/stuck-channels.ts'
import { type DeliveryWorld, makeDeliveryWorld } from '../channels/delivery-world.ts'
import { type Receiver, startReceiver } from '../channels/start-receiver.ts'
import { onEachEngine } from './on-each-engine.ts'

onEachEngine(({ newAcme, dialect }) => {
  let receiver: Receiver
  let world: DeliveryWorld
  beforeAll(async () => {
    receiver = await startReceiver()
  })
  afterAll(() => receiver?.stop())
  beforeEach(async () => {
    Object.assign(receiver, { answers: [], always: null, answerOf: null })
    receiver.received.length = 0
    world = await makeDeliveryWorld(await newAcme())
  })

  /** Inserts rows as `enqueue` leaves them, up to 100 in each statement. */
  async function fill(channelId: number, count: number, values: Partial<{ sentAt: number; subject: string }> = {}) {
    const { sentAt = null, subject = '' } = values
    const { db } = world.control
    for (let from = 0; from < count; from += 100)
      await db
        .insertInto('outbox')
        .values(
          Array.from({ length: Math.min(100, count - from) }, (_, index) => ({
            id: `${channelId}-${sentAt}-${String(from + index).padStart(7, '0')}`,
            organization_id: world.organizationId,
            channel_id: channelId,
            key: `${channelId}/${sentAt}/${from + index}`,
            subject: subject === '' ? '' : `${subject}/${from + index}`,
            message: '{}',
            not_before: world.clock.now - 1_000,
            created_at: world.clock.now - 1_000,
            state: sentAt === null ? ('queued' as const) : ('sent' as const),
            sent_at: sentAt,
          })),
        )
        .execute()
  }

  async function addOtherOrganization(): Promise<number> {
    const { id } = await world.control.db
      .insertInto('organization')
      .values({ slug: 'other', name: 'Other', created_at: world.clock.now })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }

  test.each([499, 500, 501, 1_676, 2_000])(
    'a full pager with %i waiting messages holds up no other channel, whoever is killed',
    async waiting => {
      const pager = await world.addChannel('pagerduty', { routingKey: 'a'.repeat(32), url: `${receiver.url}/pager` })
      await fill(pager, maxInWindow, { sentAt: world.clock.now - 60_000 })
      await fill(pager, waiting, { subject: 'issue' })
      const healthy: number[] = []
      for (let each = 0; each < 9; each++)
        healthy.push(await world.addChannel('webhook', { url: `${receiver.url}/${each}` }))
      const elsewhere = await world.addChannel('webhook', { url: `${receiver.url}/elsewhere` })
      const organizationId = await addOtherOrganization()
      await world.control.db
        .updateTable('channel')
        .set({ organization_id: organizationId })
        .where('id', '=', elsewhere)
        .execute()
      const ids = await world.enqueueAll(
        [...healthy, elsewhere].map(channelId => ({ channelId, key: `fatal/${channelId}` })),
      )

      // One is killed with what it took, and one after it has sent a part.
      const killed = await world.worker('killed').claim()
      expect(killed.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
      world.clock.now += 60_000
      const slow = world.worker('slow')
      for (const row of (await slow.claim()).slice(0, 3)) await slow.send(row)
      world.clock.now += 60_000
      expect(await world.worker('last').round()).toBe(10)
      expect(new Set(receiver.received.map(({ id }) => id))).toEqual(new Set(ids))
      expect(receiver.received).toHaveLength(10 + 3)
      expect(receiver.received.some(({ url }) => url === '/pager')).toBe(false)

      // The pager continues when its window has room again, and stays within its limit.
      world.clock.now += windowMs
      await world.worker('last').run()
      expect(receiver.received.filter(({ url }) => url === '/pager')).toHaveLength(maxInWindow)
    },
  )

  test('organizations take turns, and failing channels leave half of the places to those that work', async () => {
    const organizationId = await addOtherOrganization()
    const urls = (count: number) => Array.from({ length: count }, (_, index) => `${receiver.url}/${index}`)
    const channels: number[] = []
    for (const url of urls(2 * maxChannels)) channels.push(await world.addChannel('webhook', { url }))
    for (const channelId of channels) await fill(channelId, 1)
    const late = await world.addChannel('webhook', { url: `${receiver.url}/late` })
    const { db } = world.control
    await db.updateTable('channel').set({ organization_id: organizationId }).where('id', '=', late).execute()
    await world.enqueueAll([{ channelId: late, key: 'late' }])
    const { clock } = world
    const claim = (busy: number[] = []) =>
      claimMessages(db, {
        ...{ holder: 'a', now: clock.now },
        busyChannels: new Map(busy.map(id => [id, { isFailing: false }])),
      })
    const first = await claim()
    expect(first).toHaveLength(maxChannels)
    expect(first.map(({ id }) => id)).toContain(late)
    // A node that is busy with as many as it serves takes nothing, and one with a free place takes one.
    expect(await claim(channels.slice(0, maxChannels))).toEqual([])
    expect(await claim(channels.slice(0, maxChannels - 1))).toHaveLength(1)

    clock.now += 60_000
    await db.updateTable('channel').set({ state: 'failing' }).where('id', 'in', channels).execute()
    const second = await claim()
    expect(second.filter(({ isFailing }) => isFailing)).toHaveLength(maxChannels / 2)
    expect(second.map(({ id }) => id)).toContain(late)
  })

  test('a channel of a hundred failing ones of the same organization gets its message in the next round', async () => {
    const { db } = world.control
    for (let each = 0; each < 100; each++) {
      const id = await world.addChannel('webhook', { url: `${receiver.url}/down` })
      await fill(id, 3)
    }
    await db.updateTable('channel').set({ state: 'failing', failures: 3 }).execute()
    receiver.answerOf = ({ url }) => (url === '/down' ? { status: 500 } : null)
    const hook = await world.addChannel('webhook', { url: `${receiver.url}/hook` })
    const [id] = await world.enqueueAll([{ channelId: hook, key: 'k' }])
    await world.worker('a').round()
    expect(await world.row(id)).toMatchObject({ state: 'sent' })
  })

  test('with 1,000 channels and 100,000 waiting messages, no statement reads the whole outbox', async () => {
    const { db } = world.control
    const { clock, organizationId } = world
    const numbers = (count: number) =>
      sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${sql.raw(String(count))})`
    await sql`INSERT INTO channel (organization_id, name, kind, config, state_at, created_at)
      ${numbers(1_000)} SELECT ${sql.raw(String(organizationId))}, 'c' || i, 'webhook', '{}', 0, 0 FROM n`.execute(db)
    const { first = 0 } =
      (await db
        .selectFrom('channel')
        .select(({ fn }) => fn.min('id').as('first'))
        .executeTakeFirst()) ?? {}
    const at = sql.raw(String(clock.now - 2 * stuckAfterMs))
    // A tenth of them have a hundred messages each, and one has most of all.
    await sql`INSERT INTO outbox (id, organization_id, channel_id, key, subject, message, not_before, created_at)
      ${numbers(100_000)} SELECT 'm' || i, ${sql.raw(String(organizationId))},
      ${sql.raw(String(first))} + CASE WHEN i % 10 = 0 THEN i % 1000 ELSE 7 END,
      'k' || i, 'issue/' || i, '{}', ${at}, ${at} FROM n`.execute(db)
    await sql.raw('ANALYZE').execute(db)
    const plans: string[] = []
    const explain = dialect === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN'
    const seen = db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => result,
    })
    const statements: { sql: string; parameters: readonly unknown[] }[] = []
    const executor = seen.getExecutor()
    const original = executor.compileQuery.bind(executor)
    executor.compileQuery = (...given) => {
      const compiled = original(...given)
      if (compiled.sql.includes('outbox')) statements.push(compiled)
      return compiled
    }
    const claimed = await claimMessages(seen, { holder: 'a', now: clock.now, busyChannels: new Map() })
    expect(claimed.length).toBeGreaterThan(20)
    for (const { sql: text, parameters } of statements.filter(each => !/^update/i.test(each.sql))) {
      const bound = text.replaceAll(/\$\d+|\?/g, () => literalOf(parameters, text))
      const rows = (await sql.raw(`${explain} ${bound}`).execute(db)).rows as Record<string, unknown>[]
      plans.push(rows.map(row => String(row.detail ?? row['QUERY PLAN'])).join('\n'))
      cursor.clear()
    }
    expect(plans).toHaveLength(3)
    expect((await listStuckChannels(db, clock.now)).map(({ messages }) => messages)).toContain(90_000 + 0)
    for (const plan of plans) expect(plan).not.toMatch(/SCAN (outbox|earlier)|Seq Scan on outbox/)
  })

  const cursor = new Map<string, number>()
  /** The parameters of a statement in their order, as text. */
  function literalOf(parameters: readonly unknown[], text: string): string {
    const index = cursor.get(text) ?? 0
    cursor.set(text, index + 1)
    const value = parameters[index]
    return typeof value === 'number'
      ? String(value)
      : value === null
        ? 'NULL'
        : `'${String(value).replaceAll("'", "''")}'`
  }
})
