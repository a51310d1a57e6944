/** Hydrant is killed between an event and its message, again and again: each message arrives, once or again with the same id. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { ruleConfig } from '#domain/alerts/rule.ts'
import { saveRule } from '#domain/alerts/save-rule.ts'
import { createChannel } from '#domain/channels/change-channel.ts'
import { openControl } from '#store/control/open-control.ts'
import { loadSecret } from '#store/control/secret.ts'
import { createAlertClock } from '../channels/alert-clock.ts'
import { postEnvelope } from '../e2e/post-envelope.ts'
import { isLong } from '../long.ts'
import { startHydrant, until } from '../start-hydrant.ts'
import { createShiftedClock } from './shift-clock.ts'

/** How far Hydrant is when it is killed. Only the last is after the send, so only there a message may arrive twice. */
const moments = ['accepted', 'counted', 'queued', 'answering'] as const
/** Kills for each message: the first at its moment, the others as soon as Hydrant accepts events again. 20 in the long run. */
const messages = [
  ...Array.from({ length: isLong ? 8 : 3 }, (_, index) => ({
    moment: moments[index % 3],
    kills: isLong ? 2 + (index % 2) : 1,
  })),
  { moment: 'answering' as const, kills: 1 },
]
const killCount = messages.reduce((sum, { kills }) => sum + kills, 0)
const leaseMs = 61_000

test(`${killCount - 1} kills before the send lose and repeat nothing, and one after it repeats the message with its id`, async () => {
  const received: { title: string; id: string }[] = []
  let isHolding = false
  const receiver = createServer(async (request, response) => {
    const { data } = JSON.parse(await text(request)) as { data: { issue: { title: string } } }
    received.push({ title: data.issue.title, id: String(request.headers['webhook-id']) })
    if (!isHolding) response.end('ok')
  })
  await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve))
  const clock = await createShiftedClock()
  const hydrant = await startHydrant({
    env: { ...clock.env, HYDRANT_ROLES: 'ingest,jobs', HYDRANT_OUTBOUND_ALLOW: '127.0.0.0/8' },
  })
  const control = openControl({ dataDir: hydrant.dataDir })
  const { db } = control
  const time = createAlertClock(hydrant, control, clock)
  const owner = ['--email', 'owner@acme.dev', '--password', 'correct horse battery']
  try {
    const { dsn } = await hydrant.init('--org', 'acme', '--project', 'web', ...owner)
    await addHook(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`)
    for (const [index, { moment, kills }] of messages.entries()) {
      await time.endBursts()
      isHolding = moment === 'answering'
      const type = `Kill${index}Error`
      const title = `${type}: ${moment}`
      await postEnvelope(dsn, { exception: { values: [{ type, value: moment }] } })
      if (moment === 'counted') await until(() => hasIssue(title))
      if (moment === 'queued') await until(() => hasMessage(index + 1))
      if (moment === 'answering') await until(() => received.some(each => each.title === title))
      for (let kill = 0; kill < kills; kill++) {
        await hydrant.kill()
        receiver.closeAllConnections()
        isHolding = false
        await hydrant.start()
      }
      // Whoever was killed held the message for a minute.
      await time.pass(leaseMs)
      await time.delivered()
    }
    const byTitle = Map.groupBy(received, ({ title }) => title)
    expect(byTitle.size).toBe(messages.length)
    for (const [title, group] of byTitle) expect([title, new Set(group.map(({ id }) => id)).size]).toEqual([title, 1])
    const repeats = [...byTitle].filter(([, group]) => group.length > 1).map(([title]) => title)
    process.stdout.write(
      `alerts: ${killCount} kills, ${received.length} deliveries of ${byTitle.size} messages, ${repeats.length} repeated\n`,
    )
    // One that was killed between the answer and the commit is sent again, and only that one.
    expect(repeats.filter(title => !/answering|queued/.test(title))).toEqual([])
    expect(repeats.filter(title => title.endsWith('answering'))).toHaveLength(1)
  } finally {
    await control.close()
    await hydrant.stop()
    receiver.close()
    await clock.remove()
  }

  async function addHook(url: string): Promise<void> {
    const { id: organizationId } = await db.selectFrom('organization').select('id').executeTakeFirstOrThrow()
    const context = { db, actor: 'test', now: Date.now }
    const channel = await createChannel(context, {
      ...{ organizationId, projectId: null, name: 'hook', kind: 'webhook', settings: { url }, ownerUserId: null },
      ...{ installationSecret: loadSecret({ dataDir: hydrant.dataDir, secret: undefined }), checkUrl: () => null },
    })
    if (!channel.ok) throw new Error(channel.code)
    const config = ruleConfig.parse({ when: ['new-issue'] })
    const rule = { organizationId, ruleId: null, name: 'all', projectId: null, isOn: true, ownerUserId: null, config }
    expect(await saveRule(context, { ...rule, channelIds: [channel.id] })).toMatchObject({ ok: true })
  }

  async function hasIssue(title: string): Promise<boolean> {
    return (await db.selectFrom('issue').select('id').where('title', '=', title).executeTakeFirst()) !== undefined
  }
  async function hasMessage(count: number): Promise<boolean> {
    return (await db.selectFrom('outbox').select('id').execute()).length >= count
  }
})
