/** Who is notified about failing channels, and about messages that wait although their channel works. */
import { beforeEach, expect, test } from 'vitest'
import { readStoredMessage } from '#domain/alerts/stored-message.ts'
import { titleMessages } from '#domain/alerts/title-messages.ts'
import { watchChannels } from '#domain/alerts/watch-channels.ts'
import { deleteChannel } from '#domain/channels/change-channel.ts'
import { maxInWindow } from '#domain/channels/delivery/candidate-channels.ts'
import { readOutboxDepth } from '#domain/channels/delivery/outbox-depth.ts'
import { stuckAfterMs } from '#domain/channels/delivery/stuck-channels.ts'
import { enqueue } from '#domain/channels/enqueue.ts'
import { findChannel, listChannels, listPendingMessages } from '#domain/channels/list-channels.ts'
import { addMember, insertUser } from '#domain/members/add-member.ts'
import { setProjectAccess } from '#domain/projects/project-access.ts'
import { type DeliveryWorld, makeDeliveryWorld } from '../channels/delivery-world.ts'
import { viewAs } from '../view-as.ts'
import { onPostgres } from './on-each-engine.ts'

const minuteMs = 60_000

onPostgres(({ newAcme }) => {
  let world: DeliveryWorld
  let hook: number
  let pager: number
  let chat: number
  beforeEach(async () => {
    world = await makeDeliveryWorld(await newAcme())
    hook = await world.addChannel('webhook', { url: 'http://127.0.0.1:2/hook' }, 'hook')
    chat = await world.addChannel('webhook', { url: 'http://127.0.0.1:2/chat' }, 'chat')
    pager = await world.addChannel('pagerduty', { routingKey: 'a'.repeat(32) }, 'pager')
    const made = await insertUser(world.context, {
      name: 'Grace',
      email: 'grace@example.com',
      passwordHash: 'x',
    })
    if (!made.ok) throw new Error(made.code)
    await addMember(world.context, { organizationId: world.organizationId, userId: made.userId, role: 'member' })
  })
  const db = () => world.control.db
  const watch = (hasMail = false) => watchChannels({ db: db(), enqueue, now: () => world.clock.now, hasMail })
  /** As the job does: once a minute. */
  async function pass(minutes: number, hasMail = false): Promise<void> {
    for (let each = 0; each < minutes; each++) {
      await watch(hasMail)
      world.clock.now += minuteMs
    }
  }
  /** The messages that the watch has sent, as channel and type. */
  async function sent() {
    const rows = await db()
      .selectFrom('outbox')
      .selectAll()
      .where('subject', 'like', 'incident/%')
      .orderBy('id')
      .execute()
    return rows.map(row => [row.channel_id, readStoredMessage(row.message)?.type ?? ''])
  }
  const bells = async () =>
    (await db().selectFrom('notification').select(['user_id', 'message']).orderBy('id').execute()).map(row => [
      row.user_id === world.userId ? 'owner' : 'member',
      readStoredMessage(row.message)?.type,
      readStoredMessage(row.message)?.reason,
    ])
  const setState = (id: number, state: 'active' | 'failing') =>
    db().updateTable('channel').set({ state, state_at: world.clock.now }).where('id', '=', id).execute()
  const queue = (channelId: number, count: number) =>
    world.enqueueAll(Array.from({ length: count }, (_, index) => ({ channelId, key: `${channelId}/${index}` })))
  const dropAll = () => db().deleteFrom('outbox').where('subject', 'not like', 'incident/%').execute()

  test('a full pager whose messages are late is reported at the bell and through every other channel that works', async () => {
    await db()
      .insertInto('outbox')
      .values(
        Array.from({ length: maxInWindow }, (_, index) => ({
          ...{ id: `s${index}`, key: `s${index}`, message: '{}', organization_id: world.organizationId },
          ...{ channel_id: pager, not_before: 0, created_at: 0, state: 'sent' as const, sent_at: world.clock.now },
        })),
      )
      .execute()
    await queue(pager, 1_647)
    const down = await world.addChannel('webhook', { url: 'http://127.0.0.1:2/down' }, 'down')
    await setState(down, 'failing')
    await pass(stuckAfterMs / minuteMs)
    expect(await bells()).toEqual([['owner', 'incident.opened', 'channels that fail: down']])
    await db().deleteFrom('notification').execute()
    await db().deleteFrom('outbox').where('subject', 'like', 'incident/%').execute()
    await pass(2)
    expect(await bells()).toEqual([['owner', 'incident.opened', '1647 messages wait for pager, the oldest for 11 min']])
    expect(await sent()).toEqual([
      [hook, 'incident.opened'],
      [chat, 'incident.opened'],
    ])
    // One of the channels is failing when the incident closes. It gets the closing message, too.
    await setState(chat, 'failing')
    await dropAll()
    await pass(2)
    expect(await sent()).toEqual([
      [hook, 'incident.opened'],
      [chat, 'incident.opened'],
      [hook, 'incident.closed'],
      [chat, 'incident.closed'],
    ])
    await pass(4)
    expect((await sent()).filter(([, type]) => type === 'incident.closed')).toHaveLength(2)
  })

  test('it closes when its channel is deleted, and opens for no message that waits for its next attempt', async () => {
    await queue(hook, 1)
    await pass(stuckAfterMs / minuteMs + 2)
    expect(await sent()).toEqual([
      [chat, 'incident.opened'],
      [pager, 'incident.opened'],
    ])
    await deleteChannel(world.context, { organizationId: world.organizationId, channelId: hook })
    await pass(2)
    // The end of the incident closes the page.
    expect((await sent()).slice(2)).toEqual([[chat, 'incident.closed']])
    const open = await db().selectFrom('incident').select('id').where('closed_at', 'is', null).execute()
    expect(open).toEqual([])

    await db().deleteFrom('outbox').execute()
    const [id = ''] = await queue(chat, 1)
    const later = world.clock.now + 60 * minuteMs
    await db()
      .updateTable('outbox')
      .set({ not_before: later })
      .where('id', '=', id ?? '')
      .execute()
    await pass(30)
    expect(await sent()).toEqual([])
  })

  test('the list, the page and the metrics say how many messages wait, since when, and what they say', async () => {
    const viewer = () =>
      viewAs(
        { control: world.control, telemetry: null as never },
        {
          user: { id: world.userId, name: 'Ada', email: 'ada@example.com' },
          projects: [{ id: world.web, slug: 'web', name: 'web', isInternal: false }],
          now: world.clock.now,
        },
      )
    const conditionsNow = async () =>
      Object.fromEntries((await listChannels(viewer())).map(({ name, condition }) => [name, condition]))
    expect(await conditionsNow()).toEqual({ chat: 'working', hook: 'working', pager: 'working' })
    const issueId = await world.addIssue()
    const begun = world.clock.now
    const at = begun
    const message = {
      kind: 'issue',
      type: 'issue.new',
      issueId,
      projectId: world.web,
      ruleId: null,
      at,
      severity: 'warning',
    }
    const ids = await world.enqueueAll([
      { channelId: pager, key: 'a', message: { ...message, reason: 'first seen' } },
      { channelId: pager, key: 'b', message: { ...message, issueId: 999, reason: 'first seen' } },
      { channelId: pager, key: 'c', message: { own: 'summary' } },
    ])
    world.clock.now += 12 * minuteMs
    expect(await conditionsNow()).toEqual({ chat: 'working', hook: 'working', pager: 'waiting' })
    expect(await findChannel(viewer(), pager)).toMatchObject({
      condition: 'waiting',
      waiting: { count: 3, since: begun },
    })
    const titles = await titleMessages(viewer(), await listPendingMessages(viewer(), pager))
    expect(ids.map(id => titles.get(id ?? ''))).toEqual([
      'New: Error: 1',
      'Deleted issue',
      'Summary of the alerts above the limit',
    ])
    expect(await readOutboxDepth(db(), world.clock.now)).toEqual({
      ...{ queued: 3, dead: 0, oldestSeconds: 720, held: 0 },
      channels: { working: 2, waiting: 1, retrying: 0, failing: 0, off: 0 },
    })
    await setState(pager, 'failing')
    await setState(hook, 'failing')
    expect(await conditionsNow()).toEqual({ chat: 'working', hook: 'failing', pager: 'retrying' })
  })

  test('a channel that answers 500 once is not reported; after five minutes only owners and admins are notified', async () => {
    await setState(hook, 'failing')
    await pass(4)
    await setState(hook, 'active')
    await pass(4)
    expect([await sent(), await bells()]).toEqual([[], []])

    await setState(hook, 'failing')
    await pass(7)
    expect(await bells()).toEqual([['owner', 'incident.opened', 'channels that fail: hook']])
    expect(await sent()).toEqual([[chat, 'incident.opened']])
    await setState(hook, 'active')
    await pass(2)
    expect((await bells()).map(([who, type]) => [who, type])).toEqual([
      ['owner', 'incident.opened'],
      ['owner', 'incident.closed'],
    ])
  })

  test('with mail, owners and admins get one', async () => {
    const mail = await world.addChannel('email', { to: 'members' })
    await setState(hook, 'failing')
    await pass(7, true)
    expect(await sent()).toEqual([[mail, 'incident.opened']])
    const { recipients } = await db().selectFrom('outbox').select('recipients').executeTakeFirstOrThrow()
    expect(JSON.parse(recipients)).toEqual([`user:${world.userId}`])
  })

  test('channels of private projects are not named, and another organization is notified only about its own channels', async () => {
    const { organizationId, other } = world
    await setProjectAccess(world.context, { organizationId, projectId: other, isPrivate: true, teamIds: [] })
    await db()
      .updateTable('channel')
      .set({ project_id: other, state: 'failing', state_at: 0 })
      .where('id', '=', hook)
      .execute()
    const elsewhere = await db()
      .insertInto('organization')
      .values({ slug: 'other', name: 'Other', created_at: 0 })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db()
      .updateTable('channel')
      .set({ organization_id: elsewhere.id, state: 'failing', state_at: 0 })
      .where('id', '=', chat)
      .execute()
    await pass(1)
    const incidents = await db()
      .selectFrom('incident')
      .select(['organization_id', 'reason'])
      .orderBy('organization_id')
      .execute()
    expect(incidents).toEqual([
      { organization_id: organizationId, reason: 'channels that fail: one of a private project' },
      { organization_id: elsewhere.id, reason: 'channels that fail: chat' },
    ])
    expect(await bells()).toHaveLength(1)
  })
})
