/** Members acknowledge, comment on and close incidents. When a rule ends, its incidents close and all earlier recipients learn why. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { acknowledgeIncident, closeIncident, commentOnIncident } from '#domain/alerts/handle-incident.ts'
import { isStillFailing, listIncidents, listIncidentUpdates, nameActors } from '#domain/alerts/list-incidents.ts'
import { listNotifications } from '#domain/alerts/notifications.ts'
import { deleteRule, snoozeRule } from '#domain/alerts/save-rule.ts'
import { readStoredMessage } from '#domain/alerts/stored-message.ts'
import { testChannel } from '#domain/channels/test-channel.ts'
import { deleteProject } from '#domain/projects/change-project.ts'
import { type Pager, startPager } from '../channels/start-pager.ts'
import { viewAs } from '../view-as.ts'
import { onPostgres } from './on-each-engine.ts'
import { makePagesWorld, metric, type PagesWorld } from './pages-world.ts'

let pager: Pager
beforeAll(async () => {
  pager = await startPager()
})
afterAll(() => pager?.stop())

onPostgres(({ newAcme }) => {
  let world: PagesWorld
  beforeEach(async () => {
    pager.forget()
    world = await makePagesWorld(await newAcme(), pager)
  })
  const viewer = () =>
    viewAs(world.stores, {
      user: { id: world.userId, name: 'ada', email: 'ada@example.com' },
      projects: [{ id: world.web, slug: 'web', name: 'web', isInternal: false }],
      now: world.clock.now,
    })
  const named = (incidentId: number) => ({ organizationId: world.organizationId, scope: [world.web], incidentId })
  async function open(channelIds: number[] = []) {
    const ruleId = await world.addRule(channelIds, { when: [], metric })
    const opened = await world.find(ruleId, 'critical')
    return { ruleId, incidentId: opened?.incidentId ?? 0 }
  }
  const updates = async (incidentId: number) => {
    const rows = await listIncidentUpdates(viewer(), incidentId)
    const nameOf = await nameActors(
      viewer(),
      rows.map(({ actor }) => actor),
    )
    return rows.map(({ kind, reason, actor }) => [kind, reason, actor === '' ? '' : nameOf(actor)])
  }
  const actions = async () =>
    (await world.control.db.selectFrom('audit').select('action').where('action', 'like', 'incident.%').execute()).map(
      ({ action }) => action,
    )

  test('an acknowledgement counts once, reaches the pager, and is in the audit log', async () => {
    const { incidentId } = await open([await world.addPager()])
    await world.worker('a').run()
    for (let time = 0; time < 2; time++)
      expect(await acknowledgeIncident(world.context, named(incidentId))).toEqual({ ok: true })
    await world.worker('a').run()
    expect(pager.events.map(({ event_action }) => event_action)).toEqual(['trigger', 'acknowledge'])
    expect(pager.open()).toMatchObject([{ state: 'acknowledged' }])
    const [incident] = await listIncidents(viewer())
    expect(incident).toMatchObject({ acknowledgedBy: `user:${world.userId}`, closedAt: null })
    expect((await updates(incidentId)).slice(1)).toEqual([['acknowledged', '', 'ada']])
    expect(await actions()).toEqual(['incident.acknowledge'])
    await world.settle()
    await world.find(1, '')
    await world.settle()
    expect(pager.open()).toEqual([])
  })

  test('an acknowledgement of what the pager has not heard of yet comes after its alert', async () => {
    const { incidentId } = await open([await world.addPager()])
    await acknowledgeIncident(world.context, named(incidentId))
    await world.worker('a').run()
    expect(pager.events.map(({ event_action }) => event_action)).toEqual(['trigger', 'acknowledge'])
    expect(pager.stray).toEqual([])
  })

  test('comments are kept with the incident, also after it was closed', async () => {
    const { incidentId } = await open()
    const comment = (text: string) => commentOnIncident(world.context, { ...named(incidentId), text })
    expect(await comment('  ')).toEqual({ ok: false, code: 'comment_empty' })
    expect(await comment('x'.repeat(10_001))).toEqual({ ok: false, code: 'comment_too_long' })
    expect(await comment('x'.repeat(10_000))).toEqual({ ok: true })
    await closeIncident(world.context, named(incidentId))
    expect(await comment('Rolled back.')).toEqual({ ok: true })
    expect((await updates(incidentId)).map(([kind]) => kind)).toEqual(['opened', 'comment', 'closed', 'comment'])
    expect(await actions()).toEqual(['incident.comment', 'incident.close', 'incident.comment'])
  })

  test('of many updates, the newest are listed', async () => {
    const { incidentId } = await open()
    for (let index = 0; index < 501; index++)
      await world.control.db
        .insertInto('incident_update')
        .values({
          incident_id: incidentId,
          at: index,
          kind: 'comment',
          severity: 'warning',
          value: null,
          reason: `${index}`,
        })
        .execute()
    const listed = await updates(incidentId)
    expect([listed.length, listed.at(-1)?.[1]]).toEqual([500, '500'])
  })

  test('an incident that a member has closed comes back after the number was within its limits once', async () => {
    const { ruleId, incidentId } = await open([await world.addPager()])
    await world.settle()
    expect(await closeIncident(world.context, named(incidentId))).toEqual({ ok: true })
    await world.settle()
    expect(pager.open()).toEqual([])
    expect((await updates(incidentId)).at(-1)).toEqual(['closed', 'Closed by ada', 'ada'])
    const [closed] = await listIncidents(viewer())
    expect(closed && (await isStillFailing(viewer(), closed))).toBe(true)
    expect(await closeIncident(world.context, named(incidentId))).toEqual({ ok: false, code: 'incident_closed' })
    expect(await acknowledgeIncident(world.context, named(incidentId))).toEqual({ ok: false, code: 'incident_closed' })
    // The same failure, better and worse.
    for (const severity of ['critical', 'warning', 'critical'] as const)
      expect(await world.find(ruleId, severity)).toBeNull()
    expect(await world.find(ruleId, '')).toBeNull()
    expect(closed && (await isStillFailing(viewer(), closed))).toBe(false)
    expect(await world.find(ruleId, 'critical')).toMatchObject({ type: 'incident.opened' })
    await world.settle()
    expect(pager.called).toHaveLength(2)
    expect(new Set(pager.called).size).toBe(2)
  })

  test('what a member does not see they cannot handle', async () => {
    const { incidentId } = await open()
    const hidden = { ...named(incidentId), scope: [world.other] }
    const fault = { ok: false, code: 'incident_not_found' }
    expect(await acknowledgeIncident(world.context, hidden)).toEqual(fault)
    expect(await closeIncident(world.context, hidden)).toEqual(fault)
    expect(await commentOnIncident(world.context, { ...hidden, text: 'x' })).toEqual(fault)
    expect(await closeIncident(world.context, { ...named(incidentId), organizationId: 99 })).toEqual(fault)
  })

  test.each([
    ['turned off', (id: number) => world.changeRule(id, { isOn: false })],
    ['snoozed', (id: number) => snooze(id)],
    ['deleted', (id: number) => deleteRule(world.context, { organizationId: world.organizationId, ruleId: id })],
    ['changed', (id: number) => world.changeRule(id, { projectId: world.other })],
  ])('a rule that is %s closes its incident, and channels and page say so', async (how, end) => {
    const chat = await world.addChannel('webhook', { url: pager.url })
    const { ruleId, incidentId } = await open([chat])
    await end(ruleId)
    const reason = `Closed because the rule was ${how}`
    expect((await updates(incidentId)).at(-1)).toEqual(['closed', reason, ''])
    const rows = await world.control.db.selectFrom('outbox').select('message').orderBy('id').execute()
    const messages = rows.map(row => readStoredMessage(row.message))
    expect(messages.map(message => [message?.type, message?.reason]).at(-1)).toEqual(['incident.closed', reason])
  })

  async function snooze(ruleId: number) {
    const until = world.clock.now + 3_600_000
    return snoozeRule(world.context, { organizationId: world.organizationId, ruleId, until })
  }

  test('an incident of a deleted project is closed', async () => {
    const { incidentId } = await open()
    const { organizationId, web } = world
    await deleteProject(world.context, { organizationId, projectId: web, confirmation: 'web' })
    await world.settle()
    const row = await world.control.db
      .selectFrom('incident')
      .selectAll()
      .where('id', '=', incidentId)
      .executeTakeFirst()
    expect(row).toMatchObject({ closed_by: 'hydrant' })
    expect(row?.closed_at).not.toBeNull()
  })

  test('the bell names the incident, and says the reason once', async () => {
    const { ruleId } = await open()
    const opened = await world.find(ruleId, '')
    expect(opened).not.toBeNull()
    const message = { ...world.issueMessage(1), ...opened, ruleId: null }
    await world.control.db
      .insertInto('notification')
      .values({
        ...{ organization_id: world.organizationId, user_id: world.userId, project_id: world.web, key: 'k' },
        ...{ message: JSON.stringify(message), at: world.clock.now, read_at: null },
      })
      .execute()
    const { name } = await world.control.db.selectFrom('alert_rule').select('name').executeTakeFirstOrThrow()
    expect(await listNotifications(viewer())).toMatchObject([
      { title: `Resolved: ${name}`, reason: 'Number of errors is 12, above 10' },
    ])
  })

  test('the alert of a test is closed, also if the process dies before it can say so', async () => {
    const channelId = await world.addPager()
    const { organizationId, userId, senders, context } = world
    const run = () => testChannel(context, { organizationId, channelId, ...senders, user: { id: userId, name: 'Ada' } })
    expect(await run()).toMatchObject({ ok: true, attempt: { outcome: 'sent' } })
    expect(pager.open()).toHaveLength(1)
    await world.settle()
    expect(pager.open()).toEqual([])
    await run()
    // As if it had died there.
    await world.control.db.deleteFrom('outbox').execute()
    await world.control.db.updateTable('page').set({ ended_at: null }).execute()
    await world.control.db.updateTable('page_subject').set({ ended_at: null }).execute()
    world.clock.now += 3_600_000
    await world.settle()
    expect(pager.open()).toEqual([])
    expect(new Set(pager.called).size).toBe(2)
  })
})
