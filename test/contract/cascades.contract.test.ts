/** Issues with one cause are told as one, and a pager hears of each end. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type AlertOptions, alertOnChanges, flushDueBursts } from '#domain/alerts/alert-on-changes.ts'
import { buildMessage } from '#domain/alerts/build-message.ts'
import { listNotifications } from '#domain/alerts/notifications.ts'
import { ruleConfig } from '#domain/alerts/rule.ts'
import { saveRule } from '#domain/alerts/save-rule.ts'
import { readStoredMessage } from '#domain/alerts/stored-message.ts'
import { enqueue } from '#domain/channels/enqueue.ts'
import { resolveIssues } from '#domain/issues/commands/resolve-issues.ts'
import { createDeploy } from '#domain/releases/create-deploy.ts'
import { writeEvents } from '#store/telemetry/write-events.ts'
import { viewAs } from '../view-as.ts'
import { contentOf, previewLanes } from './alert-world.ts'
import { digestEvents, type SentError } from './digest-events.ts'
import { onEachEngine } from './on-each-engine.ts'
import { borrowTelemetry, type TelemetryUnderTest } from './start-telemetry.ts'
import { makeWorld, startedAt, type World } from './workflow-world.ts'

const minuteMs = 60_000
let store: TelemetryUnderTest
beforeAll(async () => {
  store = await borrowTelemetry()
})
afterAll(() => store?.stop())

onEachEngine(({ newAcme }) => {
  describe('cascades', () => {
    let world: World
    let options: AlertOptions
    let batches = 0

    beforeEach(async () => {
      for (const table of ['events', 'event_index']) await store.telemetry.command(`TRUNCATE TABLE ${table}`)
      world = await makeWorld(await newAcme())
      options = {
        stores: { control: world.control, telemetry: store.telemetry },
        enqueue,
        now: () => world.clock.now,
      }
      for (const [index, kind] of ['webhook', 'pagerduty'].entries())
        await world.control.db
          .insertInto('channel')
          .values({
            ...{ id: index + 1, organization_id: 1, project_id: null, name: kind, kind, config: '{}' },
            ...{ state_at: startedAt, owner_user_id: null, created_at: startedAt },
          })
          .execute()
      const saved = await saveRule(world.context, {
        ...{ organizationId: 1, ruleId: null, name: 'all', projectId: null, isOn: true, ownerUserId: null },
        channelIds: [1, 2],
        config: ruleConfig.parse({ when: ['new-issue', 'regression', 'resolved'] }),
      })
      if (!saved.ok) throw new Error(saved.code)
    })

    async function send(...errors: SentError[]): Promise<void> {
      const { rows } = await digestEvents(world, errors)
      batches += 1
      await writeEvents(store.telemetry, {
        ...{ rows: rows.events, batchId: `cascade-${batches}`, mayHaveArrived: false, isSuspect: false },
      })
      await run()
    }
    const run = async () => {
      await alertOnChanges(options)
      await flushDueBursts(options)
    }
    const pass = async (ms: number) => {
      world.clock.now += ms
      await run()
    }
    const told = async (channelId: number) => {
      const rows = await world.control.db
        .selectFrom('outbox')
        .select('message')
        .where('channel_id', '=', channelId)
        .orderBy('id')
        .execute()
      return rows.map(row => readStoredMessage(row.message))
    }
    const deploy = (version: string) =>
      createDeploy(world.context, {
        ...{ organizationId: 1, version, projectIds: [world.web], environment: 'production', name: '', url: '' },
        ...{ startedAt: null, finishedAt: world.clock.now },
      })

    const viewer = () =>
      viewAs(options.stores, {
        user: { id: world.userId, name: 'Ada', email: 'ada@example.com' },
        projects: [{ id: world.web, slug: 'web', name: 'web', isInternal: false }],
        now: world.clock.now,
      })
    /** The preview of the rule tells exactly what each channel has got. */
    const expectPreviewed = async () => {
      const sent = [(await told(1)).map(contentOf), (await told(2)).map(contentOf)]
      expect(await previewLanes(viewer(), world.control.db)).toEqual(sent)
    }

    test('new issues of one trace are one message, which lists the others', async () => {
      const trace = 'c'.repeat(32)
      await send({ type: 'FetchError', trace }, { type: 'LoneError' }, { type: 'RenderError', trace })
      await pass(61_000)
      // The issues of a batch are in the order of their hashes.
      const messages = await told(1)
      expect(messages.map(message => [message?.type, message?.reason]).toSorted()).toEqual([
        ['issue.new', 'seen for the first time'],
        ['issue.new', 'seen for the first time; 1 more in the same trace'],
      ])
      const message = messages.find(each => each?.reason?.includes('same trace'))
      const given = { id: 'm1', organizationId: 1, message }
      const built = await buildMessage(options.stores, 'https://h.test', given, world.clock.now)
      const ofTrace = [built?.title ?? '', ...(built?.items ?? []).map(({ title }) => title)]
      expect(ofTrace.toSorted()).toEqual([
        'New: FetchError: FetchError happened',
        'New: RenderError: RenderError happened',
      ])
      expect(built?.more).toBe(0)
      const notes = (await listNotifications(viewer())).map(({ title, lines }) => [title, lines.length])
      expect(notes.toSorted()).toEqual(
        [
          ['New: LoneError: LoneError happened', 0],
          [ofTrace[0], 1],
        ].toSorted(),
      )
      await expectPreviewed()
    })

    test('after a deploy the first issue is told at once, and those that follow are collected for some minutes', async () => {
      await deploy('web@2.0.0')
      const release = 'web@2.0.0'
      await pass(minuteMs)
      await send({ type: 'FirstError', release })
      expect(await told(1)).toMatchObject([{ reason: 'first seen in web@2.0.0, 1 minute after its deploy' }])
      for (const type of ['SecondError', 'ThirdError', 'FourthError']) {
        await pass(minuteMs)
        await send({ type, release })
      }
      expect(await told(1)).toHaveLength(1)
      // What has nothing to do with the deploy does not wait for it.
      await send({ type: 'OtherError' })
      expect(await told(1)).toHaveLength(2)
      await pass(3 * minuteMs)
      const messages = await told(1)
      expect(messages.slice(2)).toMatchObject([{ kind: 'summary', reason: '3 more after the deploy of web@2.0.0' }])
      await expectPreviewed()
    })

    test('a pager hears of each end at once, although others are collected', async () => {
      await send({ type: 'FirstError' }, { type: 'SecondError' })
      const issues = await world.control.db.selectFrom('issue').select('id').orderBy('id').execute()
      const issueIds = issues.map(({ id }) => id)
      await pass(1_000)
      await world.control.db.updateTable('page').set({ attempted_at: world.clock.now }).execute()
      await world.control.db.updateTable('outbox').set({ state: 'sent' }).execute()
      await resolveIssues(world.context, { scope: [world.web], issueIds, how: { kind: 'now' } })
      await run()
      expect((await told(2)).map(message => message?.type)).toEqual(['issue.new', 'issue.resolved'])
      expect((await told(1)).map(message => message?.type)).toEqual(['issue.new'])
      await pass(61_000)
      // The second issue was resolved before its page was sent, so there is nothing to close.
      expect(await told(2)).toHaveLength(2)
      expect((await told(1)).map(message => message?.kind)).toEqual(['issue', 'summary'])
      const [day] = await world.control.db.selectFrom('alert_rule_day').select('messages').execute()
      expect(day?.messages).toBe(2)
      await expectPreviewed()
    })
  })
})
