import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { changeChannel, resendMessages, switchChannel } from '#domain/channels/change-channel.ts'
import { leaseMs, maxInWindow, windowMs } from '#domain/channels/delivery/candidate-channels.ts'
import { goneForMs, probeEveryMs } from '#domain/channels/delivery/channel-health.ts'
import { giveUpAfterMs, longestAskedMs } from '#domain/channels/delivery/retry-delay.ts'
import { foldOverflow } from '#domain/channels/delivery/summaries.ts'
import { testChannel } from '#domain/channels/test-channel.ts'
import { startDeliveryJob } from '#jobs/deliver-messages.ts'
import { createPrometheusRegistry } from '#lib/prometheus.ts'
import { createHydrantMetrics } from '#metrics.ts'
import { beginTrustedClock } from '#store/control/trust-clock.ts'
import { type DeliveryWorld, installationSecret, makeDeliveryWorld } from '../channels/delivery-world.ts'
import { type Receiver, startReceiver } from '../channels/start-receiver.ts'
import { onPostgres } from './on-each-engine.ts'

onPostgres(({ newAcme }) => {
  let receiver: Receiver
  let world: DeliveryWorld
  let hook: number
  beforeAll(async () => {
    receiver = await startReceiver()
  })
  afterAll(() => receiver?.stop())
  beforeEach(async () => {
    Object.assign(receiver, { answers: [], always: null, answerOf: null })
    receiver.received.length = 0
    world = await makeDeliveryWorld(await newAcme())
    hook = await world.addChannel('webhook', { url: `${receiver.url}/hook` }, 'hook')
  })
  const addressed = () => ({ organizationId: world.organizationId, channelId: hook })
  const idsReceived = () => receiver.received.map(({ id }) => id)

  test('a message is sent once, with its id, and the log has the answer', async () => {
    const [id, again] = await world.enqueueAll([
      { channelId: hook, key: 'rule/1/issue/1' },
      { channelId: hook, key: 'rule/1/issue/1' },
    ])
    expect(again).toBeNull()
    expect(await world.worker('a').run()).toBe(1)
    expect(idsReceived()).toEqual([id])
    expect(await world.row(id)).toMatchObject({ state: 'sent', attempts: 1, sent_at: world.clock.now, leased_by: '' })
    expect(await world.deliveries()).toMatchObject([
      { outbox_id: id, channel_id: hook, attempt: 1, status: 200, response: 'ok', outcome: 'sent' },
    ])
    expect(await world.worker('a').run()).toBe(0)
  })

  test('a message is not sent before its time', async () => {
    await world.enqueueAll([{ channelId: hook, key: 'later', notBefore: world.clock.now + 60_000 }])
    expect(await world.worker('a').run()).toBe(0)
    world.clock.now += 60_000
    expect(await world.worker('a').run()).toBe(1)
  })

  /** Fails or waits until its next attempt, again and again; returns how long each wait was. */
  async function waitsOf(id: string | null | undefined, most = 500): Promise<number[]> {
    const waits: number[] = []
    while (waits.length < most) {
      expect(await world.worker('a').run()).toBe(1)
      const { state, not_before } = await world.row(id)
      if (state !== 'queued') break
      const { retry_at } = await world.channel(hook)
      waits.push(Math.max(not_before, retry_at) - world.clock.now)
      world.clock.now = Math.max(not_before, retry_at)
    }
    return waits
  }

  test('a message is tried for 33 hours, then it is given up and can be sent again', async () => {
    receiver.always = { status: 503, body: 'down' }
    const [id] = await world.enqueueAll([{ channelId: hook, key: 'k' }])
    const begun = world.clock.now
    const waits = await waitsOf(id)
    const [second, minute] = [1_000, 60_000]
    expect(waits.slice(0, 4)).toEqual([10 * second, minute, 5 * minute, 5 * minute])
    expect(Math.max(...waits)).toBe(15 * minute)
    expect(world.clock.now - begun).toBe(giveUpAfterMs)
    expect(giveUpAfterMs).toBe(33 * 60 * minute)
    expect(await world.row(id)).toMatchObject({ state: 'dead', attempts: waits.length + 1, last_error: 'down' })
    expect(await world.channel(hook)).toMatchObject({ state: 'failing' })
    expect(new Set(idsReceived())).toEqual(new Set([id]))

    receiver.always = null
    world.clock.now += minute
    expect(await resendMessages(world.context, { ...addressed(), messageId: id ?? '' })).toEqual({ ok: true, count: 1 })
    expect(await world.worker('a').run()).toBe(1)
    expect(await world.row(id)).toMatchObject({ state: 'sent', attempts: 1, first_attempt_at: world.clock.now })
    expect(await world.channel(hook)).toMatchObject({ state: 'active', failures: 0, retry_at: 0 })
  })

  test('time in which Hydrant was stopped does not count as trying', async () => {
    receiver.always = { status: 503 }
    const [id] = await world.enqueueAll([{ channelId: hook, key: 'k' }])
    await beginTrustedClock(world.control, world.clock.now)
    await world.worker('a').run()
    world.clock.now += 3 * giveUpAfterMs
    await world.worker('a').run()
    expect(await world.row(id)).toMatchObject({ state: 'queued', attempts: 2 })
  })

  test.each([
    ['1', 1_000, 20],
    ['4', 4_000],
    ['20', 20_000],
    ['3600', 3_600_000],
    ['1000000000', longestAskedMs],
    ['0', 1_000],
    ['-5', 10_000],
    ['soon', 10_000],
    ['foo 5', 10_000],
    ['0x10', 10_000],
    ['Infinity', 10_000],
    ['', 10_000],
    ['Wed, 21 Oct 2015 07:28:00 GMT', 1_000],
  ])('a pause that a server asks for uses up no attempt: %j', async (given, waitMs, times = 2) => {
    receiver.always = { status: 429, headers: { 'retry-after': given } }
    const [id] = await world.enqueueAll([{ channelId: hook, key: 'k' }])
    const isPlan = !/^\d+$|GMT$/.test(given)
    const begun = world.clock.now
    expect(await waitsOf(id, 1)).toEqual([waitMs])
    const first = { state: 'queued', attempts: isPlan ? 1 : 0, not_before: begun + waitMs, first_attempt_at: begun }
    expect(await world.row(id)).toMatchObject(first)
    // The first far more often than any message is tried: it is given up by time.
    await waitsOf(id, times)
    expect(await world.row(id)).toMatchObject({ state: 'queued', attempts: isPlan ? times + 1 : 0 })
    receiver.always = null
    await world.worker('a').run()
    expect(await world.row(id)).toMatchObject({ state: 'sent' })
  })

  test('a date to retry after is compared with the date of the server', async () => {
    const headers = { date: 'Wed, 21 Oct 2015 07:28:00 GMT', 'retry-after': 'Wed, 21 Oct 2015 07:28:30 GMT' }
    receiver.answers.push({ status: 503, headers })
    const [id] = await world.enqueueAll([{ channelId: hook, key: 'k' }])
    await world.worker('a').run()
    expect((await world.row(id)).not_before).toBe(world.clock.now + 30_000)
  })

  test('a server that asks for a pause without end is asked once a minute, and the message is given up after 33 hours', async () => {
    receiver.always = { status: 429, headers: { 'retry-after': '1' } }
    const [id] = await world.enqueueAll([{ channelId: hook, key: 'k' }])
    expect((await waitsOf(id, 10)).slice(0, 9)).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60].map(each => each * 1_000))
    world.clock.now = (await world.row(id)).not_before + giveUpAfterMs
    await world.worker('a').run()
    expect(await world.row(id)).toMatchObject({ state: 'dead' })
  })

  test('a channel that fails rests, and its first success releases what waits, oldest first', async () => {
    const ids = await world.enqueueAll(Array.from({ length: 7 }, (_, index) => ({ channelId: hook, key: `k${index}` })))
    receiver.always = { status: 500 }
    const end = world.clock.now + 14 * 60_000
    while (world.clock.now < end) {
      world.clock.now += 5_000
      expect(await world.worker('a').round()).toBeLessThanOrEqual(1)
    }
    // The channel is tried after 10, 20, 30, 40 and 50 s, then every minute, and rotates through the messages.
    expect(receiver.received.length).toBeLessThan(20)
    expect(new Set(idsReceived()).size).toBe(7)
    receiver.always = null
    receiver.received.length = 0
    world.clock.now += 60_000
    await world.worker('a').run()
    expect(idsReceived().toSorted()).toEqual(ids.toSorted())
    expect(idsReceived().slice(1)).toEqual(ids.filter(id => id !== idsReceived()[0]))
    expect(await world.channel(hook)).toMatchObject({ state: 'active', failures: 0, retry_at: 0 })
  })

  test('a message that always fails does not hold up the others, nor is it tried in a hurry', async () => {
    const [poison] = await world.enqueueAll([{ channelId: hook, key: 'poison' }])
    receiver.answerOf = ({ id }) => (id === poison ? { status: 500 } : null)
    let longestMs = 0
    for (let each = 0; each < 20; each++) {
      const [id] = await world.enqueueAll([{ channelId: hook, key: `k${each}` }])
      const begun = world.clock.now
      while ((await world.row(id)).state === 'queued') {
        await world.worker('a').run()
        world.clock.now += 1_000
      }
      longestMs = Math.max(longestMs, world.clock.now - begun)
      world.clock.now += 60_000
    }
    expect(longestMs).toBeLessThanOrEqual(62_000)
    expect(idsReceived().filter(id => id === poison).length).toBeLessThan(2 * 20)
  })

  test('a rejected message is dead at once, and the next one is tried', async () => {
    receiver.answers.push({ status: 422, body: 'no' })
    const [first, second] = await world.enqueueAll([
      { channelId: hook, key: '1' },
      { channelId: hook, key: '2' },
    ])
    await world.worker('a').run()
    expect([(await world.row(first)).state, (await world.row(second)).state]).toEqual(['dead', 'sent'])
  })

  async function pass(ms: number, stepMs = 60_000): Promise<void> {
    for (const end = world.clock.now + ms; world.clock.now < end; ) {
      world.clock.now += stepMs
      await world.worker('a').run()
    }
  }

  test.each([401, 403, 404, 410])('one %i is no reason to switch a channel off', async status => {
    receiver.answers.push({ status })
    const ids = await world.enqueueAll(['1', '2', '3'].map(key => ({ channelId: hook, key })))
    await world.worker('a').run()
    expect(await world.channel(hook)).toMatchObject({ state: 'failing' })
    await pass(10_000, 10_000)
    expect(await world.channel(hook)).toMatchObject({ state: 'active', gone_at: null })
    expect(idsReceived().slice(1).toSorted()).toEqual(ids.toSorted())
  })

  test('a channel that is gone for an hour is switched off, another channel notifies its owner, and its messages wait', async () => {
    const other = await world.addChannel('webhook', { url: `${receiver.url}/other` }, 'other')
    receiver.answerOf = ({ url }) => (url === '/hook' ? { status: 410, body: 'Gone' } : null)
    const ids = await world.enqueueAll(['1', '2'].map(key => ({ channelId: hook, key })))
    await pass(goneForMs - 60_000)
    expect(await world.channel(hook)).toMatchObject({ state: 'failing' })
    await pass(20 * 60_000)
    expect(await world.channel(hook)).toMatchObject({ state: 'disabled', disabled_reason: '410 Gone' })
    const notices = receiver.received.filter(({ url }) => url === '/other')
    expect(notices.map(({ body }) => JSON.parse(body))).toMatchObject([
      { type: 'operator.channel_disabled', data: { title: 'Channel hook was switched off', text: '410 Gone' } },
    ])
    expect(await world.channel(other)).toMatchObject({ state: 'active' })
    for (const id of ids) expect(await world.row(id)).toMatchObject({ state: 'queued' })

    // Then it is tried once a day.
    receiver.received.length = 0
    await pass(probeEveryMs - 30 * 60_000, 600_000)
    expect(receiver.received).toEqual([])
    await pass(40 * 60_000, 600_000)
    expect(receiver.received).toHaveLength(1)
    expect(await world.channel(hook)).toMatchObject({ state: 'disabled' })

    receiver.answerOf = null
    const [late] = await world.enqueueAll([{ channelId: hook, key: '3' }])
    await pass(probeEveryMs, 600_000)
    expect(await world.channel(hook)).toMatchObject({ state: 'active', disabled_reason: '' })
    expect(idsReceived().slice(1).toSorted()).toEqual([...ids, late].toSorted())
  })

  test('what waits for a channel that stays gone is given up after 33 hours, and a repaired channel gets the rest', async () => {
    receiver.always = { status: 404, body: 'no hook' }
    const [old] = await world.enqueueAll([{ channelId: hook, key: 'old' }])
    await pass(2 * goneForMs)
    expect(await world.channel(hook)).toMatchObject({ state: 'disabled' })
    await pass(24 * 3_600_000, 600_000)
    const [fresh] = await world.enqueueAll([{ channelId: hook, key: 'fresh' }])
    await pass(24 * 3_600_000, 600_000)
    expect(await world.row(old)).toMatchObject({ state: 'dead', last_error: 'no hook' })
    expect(await world.row(fresh)).toMatchObject({ state: 'queued' })
    receiver.always = null
    await switchChannel(world.context, { ...addressed(), isOn: true })
    await world.worker('a').run()
    expect(await world.row(fresh)).toMatchObject({ state: 'sent' })
  })

  test('messages to a channel that a member has switched off are not delivered, and can be sent again', async () => {
    await switchChannel(world.context, { ...addressed(), isOn: false })
    const [id] = await world.enqueueAll([{ channelId: hook, key: 'k' }])
    await world.worker('a').run()
    expect(await world.row(id)).toMatchObject({ state: 'dead', last_error: 'The channel is off.' })
    await switchChannel(world.context, { ...addressed(), isOn: true })
    expect(await resendMessages(world.context, { ...addressed(), messageId: null })).toEqual({ ok: true, count: 1 })
    await world.worker('a').run()
    expect(idsReceived()).toEqual([id])
  })

  test('who is killed after the claim leaves the message to the next, once the lease is over', async () => {
    const [id] = await world.enqueueAll([{ channelId: hook, key: 'k' }])
    for (let kill = 0; kill < 20; kill++) {
      expect(await world.worker(`killed ${kill}`).claim()).toHaveLength(1)
      expect(await world.worker('b').run()).toBe(0)
      world.clock.now += leaseMs
    }
    expect(await world.worker('b').run()).toBe(1)
    expect(idsReceived()).toEqual([id])
    expect(await world.row(id)).toMatchObject({ state: 'sent', attempts: 1 })
  })

  test('who is killed between the answer and the commit causes a repetition with the same id', async () => {
    const [id] = await world.enqueueAll([{ channelId: hook, key: 'k' }])
    const killed = world.worker('a')
    const [row] = await killed.claim()
    if (row === undefined) throw new Error('nothing claimed')
    const sent = await killed.send(row)
    world.clock.now += leaseMs
    expect(await world.worker('b').run()).toBe(1)
    expect(idsReceived()).toEqual([id, id])
    // It was not killed but very slow: its result changes nothing any more.
    await killed.settle(row, { ...sent, attempt: { ...sent.attempt, outcome: 'gone' } })
    expect(await world.row(id)).toMatchObject({ state: 'sent' })
    expect(await world.channel(hook)).toMatchObject({ state: 'active' })
  })

  test('two workers share the outbox and nothing is sent twice', async () => {
    const channels = [hook]
    for (let count = 0; count < 3; count++)
      channels.push(await world.addChannel('webhook', { url: `${receiver.url}/${count}` }))
    const ids = await world.enqueueAll(
      Array.from({ length: 4 * maxInWindow }, (_, index) => ({
        channelId: channels[index % 4] ?? 0,
        key: `k${index}`,
      })),
    )
    const { control, buildMessage, senders, clock } = world
    const log = { info() {}, warn() {} }
    const options = { control, buildMessage, ...senders, log, now: () => clock.now, pollMs: 5 }
    const registries = [createPrometheusRegistry(), createPrometheusRegistry()]
    const jobs = registries.map(registry => startDeliveryJob({ ...options, metrics: createHydrantMetrics(registry) }))
    await expect
      .poll(async () => control.db.selectFrom('outbox').select('id').where('state', '=', 'queued').execute(), {
        timeout: 30_000,
      })
      .toEqual([])
    await Promise.all(jobs.map(each => each.stop()))
    expect(idsReceived().toSorted()).toEqual(ids.toSorted())
    const printed = (name: string) =>
      registries.map(registry => Number(registry.print().split(`\nhydrant_${name} `)[1]?.split('\n')[0] ?? 0))
    const [first = 0, second = 0] = printed('deliveries_total{kind="webhook",outcome="sent"}')
    expect(first + second).toBe(ids.length)
    // Counted when each job began: by the first one before anything was sent.
    expect(Math.max(...printed('outbox_messages{state="queued"}'))).toBe(ids.length)
  })

  test('messages about one subject stay in order, and do not hold up others', async () => {
    receiver.answers.push({ status: 503 })
    const [opened, closed, other] = await world.enqueueAll([
      { channelId: hook, key: 'opened', subject: 'incident/1' },
      { channelId: hook, key: 'closed', subject: 'incident/1' },
      { channelId: hook, key: 'other', subject: 'incident/2' },
    ])
    await world.worker('a').run()
    // The channel rests after the failure.
    expect(idsReceived()).toEqual([opened])
    world.clock.now += 10_000
    await world.worker('a').run()
    expect(idsReceived().toSorted()).toEqual([opened, opened, closed, other].toSorted())
    expect(idsReceived().lastIndexOf(opened ?? '')).toBeLessThan(idsReceived().indexOf(closed ?? ''))
  })

  test('a flood becomes 30 messages and one summary', async () => {
    await world.enqueueAll(
      Array.from({ length: 130 }, (_, index) => ({
        channelId: hook,
        key: `k${index}`,
        message: { title: `Error ${index}` },
      })),
    )
    const worker = world.worker('a')
    await worker.run()
    expect(receiver.received).toHaveLength(maxInWindow)
    expect(await foldOverflow(world.control.db, world.clock.now)).toBe(100)
    await worker.run()
    expect(receiver.received).toHaveLength(maxInWindow)
    world.clock.now += windowMs
    await worker.run()
    expect(receiver.received).toHaveLength(maxInWindow + 1)
    const summary = JSON.parse(receiver.received.at(-1)?.body ?? '{}')
    expect(summary).toMatchObject({ type: 'summary', data: { title: 'Error 30, and 99 more alerts', more: 80 } })
    expect(summary.data.items).toHaveLength(20)
    expect(summary.data.items[0].title).toBe('Error 30')
    const left = await world.control.db.selectFrom('outbox').select('id').where('state', '!=', 'sent').execute()
    expect(left).toEqual([])
  })

  test('a pager waits instead of being sent a summary', async () => {
    const pager = await world.addChannel('pagerduty', { routingKey: 'a'.repeat(32) })
    const ids = await world.enqueueAll(
      Array.from({ length: 40 }, (_, index) => ({ channelId: pager, key: `k${index}` })),
    )
    await world.control.db
      .updateTable('outbox')
      .set({ state: 'sent', sent_at: world.clock.now })
      .where('id', 'in', ids.slice(0, maxInWindow).map(String))
      .execute()
    expect(await foldOverflow(world.control.db, world.clock.now)).toBe(0)
    expect(await world.worker('a').claim()).toEqual([])
    world.clock.now += windowMs
    expect((await world.worker('a').claim()).length).toBeGreaterThan(0)
  })

  test('a message about what is deleted is not sent', async () => {
    const [id] = await world.enqueueAll([{ channelId: hook, key: 'k', message: { gone: true } }])
    await world.worker('a').run()
    expect(receiver.received).toEqual([])
    expect(await world.row(id)).toMatchObject({ state: 'sent' })
  })

  test('without the key of its secret a channel waits, and a new secret repairs it', async () => {
    const [id] = await world.enqueueAll([{ channelId: hook, key: 'k' }])
    await world.control.db.deleteFrom('secret_key').execute()
    await world.worker('a').run()
    expect((await world.row(id)).last_error).toContain('can’t be read')
    const change = {
      ...{ ...addressed(), projectId: null, name: 'hook', installationSecret, checkUrl: () => null },
      settings: { url: `${receiver.url}/hook`, secret: `whsec_${Buffer.alloc(32, 1).toString('base64')}` },
    }
    expect(await changeChannel(world.context, change)).toMatchObject({ ok: true })
    world.clock.now += 10_000
    await world.worker('a').run()
    expect(idsReceived()).toEqual([id])
  })

  test('a test shows the answer, is not retried, and repairs a channel that was off', async () => {
    await switchChannel(world.context, { ...addressed(), isOn: false })
    receiver.answers.push({ status: 500, body: 'broken' })
    const run = () =>
      testChannel(world.context, { ...addressed(), ...world.senders, user: { id: world.userId, name: 'Ada' } })
    expect(await run()).toMatchObject({
      ok: true,
      attempt: { outcome: 'retry', status: 500, response: 'broken', request: `POST ${receiver.url}/hook` },
    })
    expect(await world.channel(hook)).toMatchObject({ state: 'disabled' })
    expect(await run()).toMatchObject({ ok: true, attempt: { outcome: 'sent', status: 200 } })
    expect(await world.channel(hook)).toMatchObject({ state: 'active' })
    expect(JSON.parse(receiver.received.at(-1)?.body ?? '{}')).toMatchObject({ type: 'test', data: { is_test: true } })
    expect((await world.deliveries()).map(({ outcome }) => outcome)).toEqual(['retry', 'sent'])
    const audited = await world.control.db
      .selectFrom('audit')
      .select('action')
      .where('action', 'like', 'channel.%')
      .execute()
    expect(audited.map(({ action }) => action)).toEqual([
      'channel.create',
      'channel.disable',
      'channel.test',
      'channel.test',
    ])
  })
})
