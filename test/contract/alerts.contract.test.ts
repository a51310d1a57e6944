/** From a change of an issue to messages in the outbox and at the bell: each once, whatever runs twice or is killed. */
import { setTimeout } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { alertOnChanges, hasAlertWork } from '#domain/alerts/alert-on-changes.ts'
import { buildMessage } from '#domain/alerts/build-message.ts'
import { defaultRuleName } from '#domain/alerts/default-rule.ts'
import { releaseLateNews } from '#domain/alerts/late-news.ts'
import { listRules } from '#domain/alerts/list-rules.ts'
import {
  countUnread,
  listNotificationChoices,
  listNotifications,
  readNotifications,
  saveNotificationChoices,
} from '#domain/alerts/notifications.ts'
import { judgeOperator } from '#domain/alerts/operator.ts'
import { ruleConfig } from '#domain/alerts/rule.ts'
import { deleteRule, saveRule, snoozeRule } from '#domain/alerts/save-rule.ts'
import type { Enqueue } from '#domain/alerts/send-to-lane.ts'
import { enqueue } from '#domain/channels/enqueue.ts'
import { archiveIssues } from '#domain/issues/commands/archive-issues.ts'
import { assignIssues } from '#domain/issues/commands/assign-issues.ts'
import { resolveIssues } from '#domain/issues/commands/resolve-issues.ts'
import { addMember, createUser } from '#domain/members/add-member.ts'
import { setProjectAccess } from '#domain/projects/project-access.ts'
import { createMessageBuilder } from '#jobs/message-builder.ts'
import { viewAs } from '../view-as.ts'
import { type AlertWorld, makeAlertWorld } from './alert-world.ts'
import { digestEvents } from './digest-events.ts'
import { onPostgres } from './on-each-engine.ts'

const minuteMs = 60_000

onPostgres(({ newAcme }) => {
  let alerts: AlertWorld

  beforeEach(async () => {
    alerts = await makeAlertWorld(await newAcme())
  })

  test('a new issue is told once to each rule’s channel and to every member', async () => {
    const { world, options, addRule, sent, send, run, viewer } = alerts
    await addRule()
    await send({ type: 'TypeError', release: 'web@1.0.0' })
    expect(await hasAlertWork(options)).toBe(true)
    await run()
    await run()
    expect(await hasAlertWork(options)).toBe(false)
    const [row, ...others] = await sent()
    expect(others).toEqual([])
    expect(row?.message).toMatchObject({ type: 'issue.new', severity: 'warning', reason: 'first seen in web@1.0.0' })
    const notes = await listNotifications(viewer())
    expect(notes).toMatchObject([{ title: 'New: TypeError: TypeError happened', isRead: false, projectSlug: 'web' }])
    expect(await countUnread(viewer())).toBe(1)
    await readNotifications(world.context, { organizationId: 1, userId: world.userId, upTo: notes[0]?.id ?? 0 })
    expect(await countUnread(viewer())).toBe(0)
  })

  test('too many new issues are told once and by themselves, with the reason, however many join later', async () => {
    const { world, addRule, sent, run } = alerts
    await addRule()
    const limits = { all: 2, fatal: 1 }
    const flood = (...types: string[]) =>
      digestEvents(
        world,
        types.map(type => ({ type, release: 'web@1.0.0' })),
        limits,
      )
    await flood('OneError', 'TwoError', 'ThreeError', 'FourError')
    await run()
    world.clock.now += minuteMs + 1
    await flood('FiveError', 'FourError')
    await run()
    world.clock.now += minuteMs + 1
    await run()
    const told = (await sent()).map(({ message }) => [message?.type, message?.severity, message?.reason])
    expect(told).toEqual([
      [
        'issue.new',
        'critical',
        'the limit of new issues within ten minutes is reached, so this issue counts further ones',
      ],
      ['issue.new', 'warning', 'first seen in web@1.0.0'],
      ['issue.new', 'warning', 'first seen in web@1.0.0'],
    ])
    await digestEvents(world, [{ type: 'OutageError', level: 'fatal' }], limits)
    await run()
    expect((await sent()).at(-1)?.message).toMatchObject({ severity: 'critical', reason: 'seen for the first time' })
  })

  test('a resolved issue and its regression are told, with who and when', async () => {
    const { world, addRule, sent, send, run, issueId } = alerts
    await addRule()
    await send({ type: 'TypeError', release: 'web@1.0.0' })
    await run()
    const id = await issueId('TypeError')
    world.clock.now += minuteMs
    await resolveIssues(world.context, { scope: [world.web], issueIds: [id], how: { kind: 'now' } })
    await run()
    world.clock.now += 2 * minuteMs
    await run()
    world.clock.now += 3 * 3_600_000
    await send({ type: 'TypeError', release: 'web@1.1.0' })
    await run()
    await run()
    expect((await sent()).map(({ message }) => [message?.type, message?.reason])).toEqual([
      ['issue.new', 'first seen in web@1.0.0'],
      ['issue.resolved', 'resolved by ada'],
      ['issue.regressed', 'seen again in web@1.1.0, 3 hours after it was resolved'],
    ])
  })

  test('an archived issue that escalates is told once, with its numbers', async () => {
    const { world, addRule, sent, send, run, issueId } = alerts
    await addRule({ when: ['escalation'] })
    const sendMany = (count: number) => send(...Array.from({ length: count }, () => 'TypeError'))
    await sendMany(10)
    await run()
    const target = { scope: [world.web], issueIds: [await issueId('TypeError')] }
    await archiveIssues(world.context, { ...target, until: { kind: 'until_escalating' } })
    world.clock.now += 60 * minuteMs
    for (const count of [200, 50]) {
      await sendMany(count)
      await run()
      world.clock.now += minuteMs
    }
    expect((await sent()).map(({ message }) => [message?.type, message?.reason])).toEqual([
      ['issue.escalating', '200 events this hour, usually at most 10'],
    ])
  })

  test('a filter is a search of the issue list', async () => {
    const { addRule, sent, send, run, issueId } = alerts
    await addRule({ filter: 'RangeError' })
    await send('TypeError', 'RangeError')
    await run()
    const messages = (await sent()).map(({ message }) => message)
    expect(messages).toMatchObject([{ issueId: await issueId('RangeError') }])
  })

  test('a rule of another project, one that is snoozed and one that is deleted send nothing', async () => {
    const { world, addRule, types, send, run } = alerts
    const organizationId = 1
    await addRule({ name: 'elsewhere', projectId: world.other })
    const until = world.clock.now + 3_600_000
    await snoozeRule(world.context, { organizationId, ruleId: await addRule({ name: 'snoozed' }), until })
    await deleteRule(world.context, { organizationId, ruleId: await addRule({ name: 'gone' }) })
    await send('TypeError')
    await run()
    expect(await types()).toEqual([])
    world.clock.now = until
    await send('RangeError')
    await run()
    expect(await types()).toEqual(['issue.new'])
  })

  test('a rule for all projects leaves out private ones, and only who sees the project has it at the bell', async () => {
    const { world, channelId, addRule, sent, send, run } = alerts
    const made = await createUser(world.context, {
      name: 'Grace',
      email: 'grace@example.com',
      password: 'correct horse',
    })
    if (!made.ok) throw new Error(made.code)
    await addMember(world.context, { organizationId: 1, userId: made.userId, role: 'member' })
    await setProjectAccess(world.context, { organizationId: 1, projectId: world.web, isPrivate: true, teamIds: [] })
    await addRule({ name: 'everything' })
    await addRule({ name: 'this one', projectId: world.web })
    await send('TypeError')
    await run()
    const rows = await world.control.db.selectFrom('outbox').select('key').execute()
    expect(rows.length).toBe(1)
    expect((await sent())[0]?.message).toMatchObject({ type: 'issue.new', ruleId: 2 })
    const bells = await world.control.db.selectFrom('notification').select('user_id').execute()
    expect(bells).toEqual([{ user_id: world.userId }])

    // Who does not see the project can neither write a rule for it nor touch one.
    const hidden = { organizationId: 1, scope: [world.other] }
    const mine = { name: 'mine', config: ruleConfig.parse({ when: ['new-issue'] }), isOn: true, ownerUserId: null }
    const save = (ruleId: number | null, projectId: number | null, followsSettings = false) =>
      saveRule(world.context, {
        ...{ ...mine, config: { ...mine.config, followsSettings } },
        ...{ ...hidden, ruleId, projectId, channelIds: [channelId] },
      })
    expect(await save(null, world.web)).toEqual({ ok: false, code: 'project_not_found' })
    expect(await save(2, null)).toEqual({ ok: false, code: 'rule_not_found' })
    expect(await save(null, null, true)).toEqual({ ok: false, code: 'rule_follows_mail_only' })
    // Nor do they learn of it: its name is free, its channels are unknown, and who sees both can still save each.
    const { db } = world.control
    const vaultHook = (
      await db
        .insertInto('channel')
        .values({
          ...{ organization_id: 1, project_id: world.web, name: 'vault', kind: 'webhook', config: '{}' },
          ...{ state_at: 0, owner_user_id: null, created_at: 0 },
        })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id
    const saveAs = (given: object) =>
      saveRule(world.context, { ...mine, ...hidden, ruleId: null, projectId: null, channelIds: [], ...given })
    const namesake = await saveAs({ name: 'this one' })
    expect(namesake).toMatchObject({ ok: true })
    expect(await saveAs({ name: 'everything' })).toEqual({ ok: false, code: 'rule_name_taken' })
    expect(await saveAs({ channelIds: [vaultHook] })).toEqual({ ok: false, code: 'channel_not_found' })
    const all = { scope: [world.other, world.web], name: 'this one' }
    expect(await saveAs({ ...all, ruleId: 2, projectId: world.web })).toMatchObject({ ok: true })
    expect(await saveAs({ ...all, projectId: world.other })).toEqual({ ok: false, code: 'rule_name_taken' })
    // A channel that they do not see stays with a rule that they change, and is not shown to them.
    const shared = { ...all, ruleId: 1, name: 'everything', channelIds: [channelId, vaultHook] }
    expect(await saveAs(shared)).toMatchObject({ ok: true })
    expect(await saveAs({ ruleId: 1, name: 'everything', channelIds: [] })).toMatchObject({ ok: true })
    const kept = await db.selectFrom('alert_rule_channel').select('channel_id').where('rule_id', '=', 1).execute()
    expect(kept).toEqual([{ channel_id: vaultHook }])
    const stranger = viewAs(alerts.options.stores, {
      projects: [{ id: world.other, slug: 'other', name: 'other', isInternal: false }],
      hiddenProjectIds: [world.web],
      now: world.clock.now,
    })
    expect((await listRules(stranger)).map(({ name, channels }) => [name, channels])).toEqual([
      ['everything', []],
      ['this one', []],
    ])
    for (const change of [deleteRule, snoozeRule])
      expect(await change(world.context, { ...hidden, ruleId: 2, until: null })).toMatchObject({
        code: 'rule_not_found',
      })
  })

  test('two nodes at once send once', async () => {
    const { world, addRule, types, send, run } = alerts
    await addRule()
    await send('TypeError', 'RangeError')
    await Promise.all([run(), run(), run()])
    world.clock.now += minuteMs
    await Promise.all([run(), run(), run()])
    expect(await types()).toEqual(['issue.new', 'issue.new'])
  })

  test('a process that dies while it writes leaves nothing behind, and the next one sends once', async () => {
    const { options, addRule, types, send, run, viewer } = alerts
    await addRule()
    await send('TypeError')
    const dies: Enqueue = async (trx, message, nowMs) => {
      await enqueue(trx, message, nowMs)
      throw new Error('killed')
    }
    for (let kill = 0; kill < 20; kill++)
      await expect(alertOnChanges({ ...options, enqueue: dies })).rejects.toThrow('killed')
    expect([await types(), await countUnread(viewer())]).toEqual([[], 0])
    await run()
    expect([await types(), await countUnread(viewer())]).toEqual([['issue.new'], 1])
  })

  test('events from long ago are no news', async () => {
    const { world, addRule, types, send, run, viewer } = alerts
    await addRule()
    await send({ type: 'TypeError', at: world.clock.now - 2 * 86_400_000 })
    await run()
    expect([await types(), await countUnread(viewer())]).toEqual([[], 0])
    // A phone was offline for two days, and its event arrives together with one of today.
    await send({ type: 'RangeError', at: world.clock.now - 2 * 86_400_000 }, 'RangeError')
    // For more than a day, no alert is sent.
    world.clock.now += 3 * 86_400_000
    await run()
    expect([await types(), await countUnread(viewer())]).toEqual([['issue.new'], 1])
  })

  test('an issue that began with an old event is told once when it gets a current one within two days', async () => {
    const { world, options, addRule, types, send, run, viewer } = alerts
    await addRule({ when: ['new-issue'] })
    const pass = async (ms: number) => {
      world.clock.now += ms
      await releaseLateNews(world.control, world.clock.now)
      await run()
    }
    const old = world.clock.now - 2 * 86_400_000
    await send({ type: 'TypeError', at: old }, { type: 'KeyError', at: old }, { type: 'DateError', at: old })
    await run()
    await pass(minuteMs)
    expect([await types(), await countUnread(viewer())]).toEqual([[], 0])
    await send('TypeError')
    const dies: Enqueue = () => Promise.reject(new Error('killed'))
    await releaseLateNews(world.control, world.clock.now)
    await expect(alertOnChanges({ ...options, enqueue: dies })).rejects.toThrow('killed')
    await pass(minuteMs)
    await send('TypeError')
    await pass(minuteMs)
    expect([await types(), await countUnread(viewer())]).toEqual([['issue.new'], 1])
    // Later it is an issue like others, and what a member has resolved is no news.
    const { id } = await world.control.db
      .selectFrom('issue')
      .select('id')
      .where('title', 'like', 'DateError%')
      .executeTakeFirstOrThrow()
    await send('DateError')
    await resolveIssues(world.context, { scope: [world.web], issueIds: [id], how: { kind: 'now' } })
    await pass(2 * 86_400_000)
    await send('KeyError')
    await pass(minuteMs)
    expect(await types()).toEqual(['issue.new'])
    expect(await world.control.db.selectFrom('alert_held').select('id').execute()).toEqual([])
  })

  test('all channels of a message say the same: its facts are read once, and again for a later attempt', async () => {
    const { world, options, addRule, send, run } = alerts
    await addRule()
    await send({ type: 'TypeError', release: 'web@1.0.0' })
    await run()
    const { message } = await world.control.db.selectFrom('outbox').select('message').executeTakeFirstOrThrow()
    let reads = 0
    const query = () => {
      reads += 1
      return Promise.reject(new Error('the engine is busy'))
    }
    let now = world.clock.now
    const stores = { ...options.stores, telemetry: { ...options.stores.telemetry, query } }
    const build = createMessageBuilder(stores, 'https://hydrant.test', () => now)
    const rowOf = (id: string) => ({ id, organizationId: 1, message: JSON.parse(message), createdAt: now })
    const built = await Promise.all(['slack', 'teams', 'mail'].map(id => build(rowOf(id))))
    expect(new Set(built.map(each => JSON.stringify({ ...each, id: '' }))).size).toBe(1)
    expect(built.map(each => each?.id)).toEqual(['slack', 'teams', 'mail'])
    const once = reads
    expect(once).toBeGreaterThan(0)
    await build(rowOf('late'))
    expect(reads).toBe(once)
    now += 2 * minuteMs
    await setTimeout(5) // the cache reads the clock once a millisecond
    await build(rowOf('again'))
    expect(reads).toBe(2 * once)
  })

  test('a message is built when it is sent, also while telemetry is down', async () => {
    const { world, options, addRule, send, run, issueId } = alerts
    await addRule({ name: 'New in web' })
    await send({ type: 'TypeError', release: 'web@1.0.0', user: 'ada' })
    await run()
    const [row] = await world.control.db.selectFrom('outbox').selectAll().execute()
    if (row === undefined) throw new Error('nothing was sent')
    const given = { id: row.id, organizationId: 1, message: JSON.parse(row.message) }
    const message = await buildMessage(options.stores, 'https://hydrant.test', given, world.clock.now)
    const id = await issueId('TypeError')
    expect(message).toMatchObject({
      id: row.id,
      kind: 'issue',
      type: 'issue.new',
      subjectKey: `issue/${id}`,
      action: 'open',
      title: 'New: TypeError: TypeError happened',
      body: 'TypeError happened',
      project: { slug: 'web' },
      rule: { name: 'New in web' },
      issue: { shortId: 'WEB-1', events: 1, users: 1 },
    })
    expect(message?.links.map(({ url }) => url)).toEqual([
      `https://hydrant.test/acme/issues/${id}`,
      `https://hydrant.test/acme/issues/${id}/confirm?change=resolve`,
      `https://hydrant.test/acme/issues/${id}/confirm?change=archive`,
      `https://hydrant.test/acme/issues/${id}/confirm?change=assign`,
    ])
    expect(await buildMessage(options.stores, '', { ...given, message: {} })).toBeNull()
  })

  test('a disk that fills opens an incident for the rules about incidents, and closes it', async () => {
    const { world, options, addRule, sent } = alerts
    await addRule({ when: ['incident'] })
    await world.control.db.updateTable('project').set({ is_internal: 1 }).where('id', '=', world.web).execute()
    const facts = { diskFree: 0.5, backlogSeconds: 0, isEngineUp: true }
    for (const diskFree of [0.5, 0.08, 0.04, 0.11, 0.5]) {
      await judgeOperator(options, { ...facts, diskFree })
      await judgeOperator(options, { ...facts, diskFree })
      world.clock.now += minuteMs
    }
    expect((await sent()).map(({ message }) => [message?.type, message?.reason])).toEqual([
      ['incident.opened', '8 % of the disk is free'],
      ['incident.worsened', '4 % of the disk is free'],
      ['incident.improved', '11 % of the disk is free'],
      ['incident.closed', '50 % of the disk is free'],
    ])
  })

  test('a rule needs a name of its own, a trigger, a valid filter and channels of its organization', async () => {
    const { world } = alerts
    const save = (given: object) =>
      saveRule(world.context, {
        organizationId: 1,
        ruleId: null,
        name: 'rule',
        projectId: null,
        config: ruleConfig.parse({ when: ['new-issue'] }),
        isOn: true,
        channelIds: [],
        ownerUserId: null,
        ...given,
      })
    expect(await save({})).toMatchObject({ ok: true })
    expect(await save({})).toEqual({ ok: false, code: 'rule_name_taken' })
    expect(await save({ name: ' ' })).toEqual({ ok: false, code: 'rule_name_missing' })
    expect(await save({ name: 'a', config: ruleConfig.parse({}) })).toEqual({
      ok: false,
      code: 'rule_without_trigger',
    })
    const filter = ruleConfig.parse({ when: ['new-issue'], filter: 'level:(' })
    expect(await save({ name: 'a', config: filter })).toEqual({ ok: false, code: 'rule_filter_invalid' })
    expect(await save({ name: 'a', channelIds: [99] })).toEqual({ ok: false, code: 'channel_not_found' })
    expect(await save({ name: 'a', projectId: 99 })).toEqual({ ok: false, code: 'project_not_found' })
    const stranger = await createUser(world.context, {
      name: 'Eve',
      email: 'eve@example.com',
      password: 'correct horse',
    })
    for (const ownerUserId of ['nobody', stranger.ok ? stranger.userId : ''])
      expect(await save({ name: 'a', ownerUserId })).toEqual({ ok: false, code: 'member_not_found' })
  })

  test('a member who switched new issues off hears of nothing', async () => {
    const { world, send, run, viewer } = alerts
    expect((await listNotificationChoices(viewer())).map(({ type, inApp }) => [type, inApp])).toContainEqual([
      'issue.new',
      true,
    ])
    await saveNotificationChoices(world.context, {
      organizationId: 1,
      userId: world.userId,
      choices: { 'issue.new': { inApp: false, email: false } },
    })
    await send('TypeError')
    await run()
    expect(await listNotifications(viewer())).toEqual([])
  })

  test('an issue that somebody else assigns to a member is at their bell, one that they took themselves is not', async () => {
    const { world, send, run, viewer, issueId } = alerts
    await send('TypeError', 'RangeError')
    await run()
    const scope = [world.web]
    const assignee = `user:${world.userId}`
    const [mine, given] = [await issueId('TypeError'), await issueId('RangeError')]
    await assignIssues(world.context, { scope, issueIds: [mine], assignee })
    await assignIssues({ ...world.context, actor: 'token:1' }, { scope, issueIds: [given], assignee })
    await run()
    const titles = (await listNotifications(viewer())).map(({ title, reason }) => `${title} (${reason})`)
    expect(titles.filter(title => title.startsWith('Assigned'))).toEqual([
      'Assigned to you: RangeError: RangeError happened (assigned by an API token)',
    ])
  })

  test('with mail, members hear of issues without a rule, as each has chosen, and a deleted default stays deleted', async () => {
    const { world, types, send, run } = alerts
    const hasMail = { hasMail: true }
    await send('TypeError')
    await run(hasMail)
    const rows = await world.control.db.selectFrom('outbox').select('recipients').execute()
    expect(rows.map(row => JSON.parse(row.recipients))).toEqual([[`user:${world.userId}`]])
    const choices = { 'issue.new': { inApp: true, email: false } }
    await saveNotificationChoices(world.context, { organizationId: 1, userId: world.userId, choices })
    world.clock.now += 10 * minuteMs
    await run(hasMail)
    await send('RangeError')
    await run(hasMail)
    expect(await types()).toEqual(['issue.new'])
    const [rule] = await world.control.db.selectFrom('alert_rule').select(['id', 'name']).execute()
    expect(rule?.name).toBe(defaultRuleName)
    await deleteRule(world.context, { organizationId: 1, ruleId: rule?.id ?? 0 })
    await run(hasMail)
    expect(await world.control.db.selectFrom('alert_rule').select('id').execute()).toEqual([])
  })
})
