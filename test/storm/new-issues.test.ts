/** One client sends a different error each time, through a kill: every event is counted once, and the list keeps the limit. */
import { expect } from 'vitest'
import { z } from 'zod'
import { ruleConfig } from '#domain/alerts/rule.ts'
import { saveRule } from '#domain/alerts/save-rule.ts'
import { createChannel } from '#domain/channels/change-channel.ts'
import { overflowTitle } from '#domain/issues/counters/issue-quota.ts'
import { openControl } from '#store/control/open-control.ts'
import { loadSecret } from '#store/control/secret.ts'
import { createAlertClock } from '../channels/alert-clock.ts'
import { postEnvelope } from '../e2e/post-envelope.ts'
import { queryTelemetry } from '../e2e/query-telemetry.ts'
import { createShiftedClock } from '../faults/shift-clock.ts'
import { startHydrant, until } from '../start-hydrant.ts'
import { startChannelReceivers } from './channel-receivers.ts'
import { isFullStorm } from './ledger.ts'
import { playScene } from './scene.ts'

const limit = 200
const sent = isFullStorm ? 20_000 : 600
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const nameOf = (index: number): string =>
  [...String(index).padStart(6, '0')].map(digit => letters[Number(digit)] ?? '').join('')

playScene(`${sent} different errors in a burst, and a kill`, async () => {
  const receivers = await startChannelReceivers()
  const clock = await createShiftedClock()
  const hydrant = await startHydrant({
    env: {
      ...clock.env,
      HYDRANT_ROLES: 'ingest,jobs',
      HYDRANT_OUTBOUND_ALLOW: '127.0.0.0/8',
      HYDRANT_NEW_ISSUES_MAX: String(limit),
    },
  })
  const control = openControl({ dataDir: hydrant.dataDir })
  const { db } = control
  const time = createAlertClock(hydrant, control, clock)
  try {
    const { dsn, project } = await hydrant.init(
      ...['--org', 'acme', '--project', 'web', '--email', 'owner@acme.dev', '--password', 'correct horse battery'],
    )
    await addRule()
    for (let from = 0; from < sent; from += 40) {
      await Promise.all(
        Array.from({ length: Math.min(40, sent - from) }, (_, index) => {
          const exception = { values: [{ type: `Error${nameOf(from + index)}`, value: 'different each time' }] }
          return postEnvelope(dsn, { level: 'error', exception })
        }),
      )
      if (from === 240) {
        await hydrant.kill()
        await hydrant.start()
      }
    }
    await hydrant.drained()
    const issues = await db
      .selectFrom('issue')
      .innerJoin('issue_hash', 'issue_hash.issue_id', 'issue.id')
      .select(({ fn }) => [
        'issue.title',
        fn.countAll<number>().as('hashes'),
        fn.sum<number>('event_count').as('events'),
      ])
      .where('issue.project_id', '=', project.id)
      .groupBy('issue.id')
      .execute()
    const overflow = issues.filter(({ title }) => title === overflowTitle)
    expect(issues.length - overflow.length).toBe(limit)
    expect(overflow).toMatchObject([{ hashes: sent - limit, events: sent - limit }])
    const [stored] = await queryTelemetry(
      hydrant.dataDir,
      `SELECT count() AS n, uniqExact(group_hash) AS groups FROM events WHERE project_id = ${project.id} LIMIT 1`,
      z.object({ n: z.coerce.number(), groups: z.coerce.number() }),
    )
    expect(stored).toEqual({ n: sent, groups: sent })
    await time.changesRead()
    await time.pass(20 * 60_000)
    const heard = () => receivers.requestsOf('hook').filter(({ body }) => body.includes(overflowTitle))
    await until(() => heard().length > 0)
    const counted = issues.reduce((sum, { events }) => sum + Number(events), 0)
    return [
      { who: 'events', sent, received: counted, lost: [], duplicated: [], repeated: counted - sent, open: 0 },
      {
        who: `alerts of “${overflowTitle}”`,
        sent: 1,
        received: new Set(heard().map(({ id }) => id)).size,
        lost: [],
        duplicated: [...new Set(heard().map(({ id }) => id))].slice(1),
        repeated: heard().length - 1,
        open: 0,
      },
    ]
  } finally {
    await control.close()
    await hydrant.stop()
    receivers.stop()
    await clock.remove()
  }

  async function addRule(): Promise<void> {
    const { id: organizationId } = await db.selectFrom('organization').select('id').executeTakeFirstOrThrow()
    const context = { db, actor: 'test', now: Date.now }
    const channel = await createChannel(context, {
      ...{ organizationId, projectId: null, ownerUserId: null, checkUrl: () => null, name: 'hook', kind: 'webhook' },
      installationSecret: loadSecret({ dataDir: hydrant.dataDir, secret: undefined }),
      settings: { url: receivers.url('hook') },
    })
    if (!channel.ok) throw new Error(channel.code)
    const config = ruleConfig.parse({ when: ['new-issue'] })
    const rule = { organizationId, ruleId: null, name: 'all', projectId: null, isOn: true, ownerUserId: null, config }
    expect(await saveRule(context, { ...rule, channelIds: [channel.id] })).toMatchObject({ ok: true })
  }
})
