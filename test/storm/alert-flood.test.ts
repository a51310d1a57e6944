/**
 * 2,000 new issues while a pager is full: nine healthy channels, one that asks for pauses and one that is down get what is theirs, through
 * kills and a clock that is a day ahead and a day behind.
 */
import { expect } from 'vitest'
import { ruleConfig } from '#domain/alerts/rule.ts'
import { saveRule } from '#domain/alerts/save-rule.ts'
import { createChannel } from '#domain/channels/change-channel.ts'
import { enqueue } from '#domain/channels/enqueue.ts'
import { openControl } from '#store/control/open-control.ts'
import { loadSecret } from '#store/control/secret.ts'
import { createAlertClock } from '../channels/alert-clock.ts'
import { postEnvelope } from '../e2e/post-envelope.ts'
import { createShiftedClock } from '../faults/shift-clock.ts'
import { startHydrant, until } from '../start-hydrant.ts'
import { readLedger, startChannelReceivers } from './channel-receivers.ts'
import { isFullStorm } from './ledger.ts'
import { playScene } from './scene.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const issueCount = 2_000
const waitingAtPager = 2_000
const kills = isFullStorm ? 8 : 2
const healthy = Array.from({ length: 9 }, (_, index) => `healthy ${index + 1}`)
const names = [...healthy, 'asks for pauses', 'down at first', 'full pager']
const pathOf = (name: string): string => name.replaceAll(' ', '-')

playScene(`an alert flood of ${issueCount} issues, ${kills} kills and two wrong clocks`, async () => {
  const receivers = await startChannelReceivers()
  const clock = await createShiftedClock()
  const hydrant = await startHydrant({
    env: { ...clock.env, HYDRANT_ROLES: 'ingest,jobs', HYDRANT_OUTBOUND_ALLOW: '127.0.0.0/8' },
  })
  const control = openControl({ dataDir: hydrant.dataDir })
  const { db } = control
  const time = createAlertClock(hydrant, control, clock)
  try {
    const { dsn } = await hydrant.init(
      ...['--org', 'acme', '--project', 'web', '--email', 'owner@acme.dev', '--password', 'correct horse battery'],
    )
    const channels = await addChannels()
    receivers.mood.set(pathOf('asks for pauses'), 'busy').set(pathOf('down at first'), 'down')

    // The first issue, so that the pager has something to wait with.
    const send = (type: string, level = 'error') =>
      postEnvelope(dsn, { level, exception: { values: [{ type, value: 'storm' }] } })
    await send('FirstError')
    await until(() => healthy.every(name => hasHeard(name, 'FirstError')))
    await fillPager(channels.find(({ name }) => name === 'full-pager')?.id ?? 0)
    await until(async () => (await countWaiting('full-pager')) < waitingAtPager)

    for (let sent = 0; sent < issueCount; sent += 40)
      await Promise.all(Array.from({ length: 40 }, (_, index) => send(`Flood${nameOf(sent + index)}Error`)))
    for (let kill = 0; kill < kills; kill++) {
      const type = `Fatal${nameOf(kill)}Error`
      await quiet()
      await send(type, 'fatal')
      // Some are killed before it is counted, and some while it is delivered.
      if (kill % 2 === 1) await until(() => hasHeard('healthy 1', type))
      await hydrant.kill()
      receivers.hangUp()
      await hydrant.start()
      await time.pass(minuteMs + 1_000)
      await until(() => healthy.every(name => hasHeard(name, type)))
      // All healthy channels have heard of it although the pager has hundreds of messages to go.
      expect(await countWaiting('full-pager')).toBeGreaterThan(waitingAtPager / 2)
    }
    for (const wrongBy of [dayMs, -dayMs]) {
      const type = `Wrong${wrongBy > 0 ? 'Ahead' : 'Behind'}Error`
      await quiet()
      await clock.set(time.now() - Date.now() + wrongBy)
      await send(type)
      await hydrant.drained()
      await new Promise(resolve => setTimeout(resolve, 3_000))
      await clock.set(time.now() - Date.now())
      await until(() => hasIssue(type))
      await time.pass(2 * minuteMs)
      await until(() => healthy.every(name => hasHeard(name, type)))
    }
    receivers.mood.set(pathOf('asks for pauses'), 'fine').set(pathOf('down at first'), 'fine')
    await time.pass(20 * minuteMs)
    // The late pager is reported through the others.
    await until(() => healthy.every(name => hasHeard(name, 'Messages wait too long')))
    await quiet()
    await until(async () => {
      const waiting = await Promise.all(channels.map(({ name }) => countWaiting(name)))
      return waiting.every((count, index) => count === 0 || channels[index]?.name === 'full-pager')
    })
    return await readLedger(control, receivers, channels, kills)
  } finally {
    await control.close()
    await hydrant.stop()
    receivers.stop()
    await clock.remove()
  }

  /** Waits until no alerts are being collected, so the next alert names its issue. */
  async function quiet(): Promise<void> {
    await time.changesRead()
    await time.endBursts()
  }
  function hasHeard(name: string, words: string): boolean {
    return receivers.requestsOf(pathOf(name)).some(({ body, status }) => status === 200 && body.includes(words))
  }
  async function hasIssue(title: string): Promise<boolean> {
    return (
      (await db.selectFrom('issue').select('id').where('title', 'like', `${title}%`).executeTakeFirst()) !== undefined
    )
  }
  async function countWaiting(name: string): Promise<number> {
    const { count } = await db
      .selectFrom('outbox')
      .innerJoin('channel', 'channel.id', 'outbox.channel_id')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('channel.name', '=', name)
      .where('outbox.state', '=', 'queued')
      .executeTakeFirstOrThrow()
    return Number(count)
  }

  async function addChannels(): Promise<{ id: number; name: string }[]> {
    const { id: organizationId } = await db.selectFrom('organization').select('id').executeTakeFirstOrThrow()
    const context = { db, actor: 'test', now: Date.now }
    const shared = { organizationId, projectId: null, ownerUserId: null, checkUrl: () => null }
    const made: { id: number; name: string }[] = []
    for (const name of names.map(pathOf)) {
      const url = receivers.url(name)
      const isPager = name === 'full-pager'
      const channel = await createChannel(context, {
        ...{ ...shared, name, installationSecret: loadSecret({ dataDir: hydrant.dataDir, secret: undefined }) },
        kind: isPager ? 'pagerduty' : 'webhook',
        settings: isPager ? { url, routingKey: 'a'.repeat(32) } : { url },
      })
      if (!channel.ok) throw new Error(channel.code)
      made.push({ id: channel.id, name })
    }
    const channelIds = made.filter(({ name }) => name !== 'full-pager').map(({ id }) => id)
    const config = ruleConfig.parse({ when: ['new-issue'] })
    const rule = { organizationId, ruleId: null, name: 'all', projectId: null, isOn: true, ownerUserId: null, config }
    expect(await saveRule(context, { ...rule, channelIds })).toMatchObject({ ok: true })
    return made
  }

  /** As a rule does that pages for each of many issues. */
  async function fillPager(channelId: number): Promise<void> {
    const { id: issueId, project_id: projectId } = await db
      .selectFrom('issue')
      .select(['id', 'project_id'])
      .executeTakeFirstOrThrow()
    const at = time.now()
    await db.transaction().execute(async trx => {
      for (let each = 0; each < waitingAtPager; each++)
        await enqueue(
          trx,
          {
            ...{ channelId, key: `storm/${each}`, notBefore: at, subject: `storm/${each}` },
            message: {
              ...{ kind: 'issue', type: 'issue.new', issueId, projectId, ruleId: null, at, severity: 'warning' },
              reason: `page ${each}`,
            },
          },
          at,
        )
    })
  }
})

/** Letters: numbers in names would be grouped. */
const nameOf = (value: number): string =>
  [...value.toString(26)].map(digit => String.fromCharCode(65 + Number.parseInt(digit, 26))).join('')
