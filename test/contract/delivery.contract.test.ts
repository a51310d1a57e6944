import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { changeChannel, resendMessages, switchChannel } from '#domain/channels/change-channel.ts'
import { leaseMs, maxInWindow, windowMs } from '#domain/channels/delivery/claim-messages.ts'
import { retryDelaysMs } from '#domain/channels/delivery/retry-delay.ts'
import { foldOverflow } from '#domain/channels/delivery/summaries.ts'
import { testChannel } from '#domain/channels/test-channel.ts'
import { startDeliveryJob } from '#jobs/deliver-messages.ts'
import { createPrometheusRegistry } from '#lib/prometheus.ts'
import { createHydrantMetrics } from '#metrics.ts'
import { type DeliveryWorld, installationSecret, makeDeliveryWorld } from '../channels/delivery-world.ts'
import { type Receiver, startReceiver } from '../channels/start-receiver.ts'
import { onEachEngine } from './on-each-engine.ts'

onEachEngine(({ newControl }) => {
  let receiver: Receiver
  let world: DeliveryWorld
  let hook: number
  beforeAll(async () => {
    receiver = await startReceiver()
  })
  afterAll(() => receiver?.stop())
  beforeEach(async () => {
    Object.assign(receiver, { answers: [], always: null })
    receiver.received.length = 0
    world = await makeDeliveryWorld(await newControl())
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

  test('temporary failures are retried by the plan, then the message is dead and can be sent again', async () => {
    receiver.always = { status: 503, body: 'down' }
    const [id] = await world.enqueueAll([{ channelId: hook, key: 'k' }])
    const waits: number[] = []
    for (let attempt = 0; attempt <= retryDelaysMs.length; attempt++) {
      expect(await world.worker('a').run()).toBe(1)
      const row = await world.row(id)
      if (row.state === 'queued') waits.push(row.not_before - world.clock.now)
      world.clock.now = Math.max(world.clock.now, row.not_before)
    }
    expect(waits).toEqual(retryDelaysMs)
    expect(await world.row(id)).toMatchObject({ state: 'dead', attempts: 8, last_error: 'down' })
    expect(await world.channel(hook)).toMatchObject({ state: 'failing' })
    expect(new Set(idsReceived())).toEqual(new Set([id]))

    receiver.always = null
    expect(await resendMessages(world.context, { ...addressed(), messageId: id ?? '' })).toEqual({ ok: true, count: 1 })
    expect(await world.worker('a').run()).toBe(1)
    expect(await world.row(id)).toMatchObject({ state: 'sent', attempts: 1 })
    expect(await world.channel(hook)).toMatchObject({ state: 'active' })
  })

  test('a server that asks to wait gets exactly that', async () => {
    receiver.answers.push({ status: 429, headers: { 'retry-after': '7' } })
    const [id] = await world.enqueueAll([{ channelId: hook, key: 'k' }])
    await world.worker('a').run()
    expect((await world.row(id)).not_before).toBe(world.clock.now + 7_000)
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

  test('a channel that is gone is switched off, its messages are dead, and its owner hears of it elsewhere', async () => {
    const other = await world.addChannel('webhook', { url: `${receiver.url}/other` }, 'other')
    receiver.answers.push({ status: 410, body: 'Gone' })
    const [, second] = await world.enqueueAll([
      { channelId: hook, key: '1' },
      { channelId: hook, key: '2' },
    ])
    await world.worker('a').run()
    expect(await world.channel(hook)).toMatchObject({ state: 'disabled', disabled_reason: '410 Gone' })
    expect(await world.row(second)).toMatchObject({ state: 'dead', last_error: 'The channel is off.' })
    const notice = receiver.received.find(({ url }) => url === '/other')
    expect(JSON.parse(notice?.body ?? '{}')).toMatchObject({
      type: 'operator.channel_disabled',
      data: { title: 'Channel hook was switched off', text: '410 Gone' },
    })
    expect(await world.channel(other)).toMatchObject({ state: 'active' })

    await switchChannel(world.context, { ...addressed(), isOn: true })
    expect(await resendMessages(world.context, { ...addressed(), messageId: null })).toEqual({ ok: true, count: 2 })
    await world.worker('a').run()
    expect(receiver.received.filter(({ url }) => url === '/hook')).toHaveLength(3)
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
    expect(idsReceived()).toEqual([opened, other])
    world.clock.now += 10_000
    await world.worker('a').run()
    expect(idsReceived()).toEqual([opened, other, opened, closed])
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
    expect(summary).toMatchObject({ type: 'summary', data: { title: '100 more alerts', more: 80 } })
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
