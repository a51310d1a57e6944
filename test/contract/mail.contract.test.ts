import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { goneForMs } from '#domain/channels/delivery/channel-health.ts'
import { readUnsubscribe, setSubscribed } from '#domain/channels/mail/unsubscribe.ts'
import { addMember, insertUser } from '#domain/members/add-member.ts'
import { createTeam } from '#domain/members/teams.ts'
import { setProjectAccess } from '#domain/projects/project-access.ts'
import { type DeliveryWorld, installationSecret, makeDeliveryWorld } from '../channels/delivery-world.ts'
import { hostileTexts, hydrantUrl } from '../channels/make-message.ts'
import { type Receiver, startReceiver } from '../channels/start-receiver.ts'
import { type Smtp, startSmtp } from '../channels/start-smtp.ts'
import { onEachEngine } from './on-each-engine.ts'

onEachEngine(({ newAcme }) => {
  let smtp: Smtp
  let world: DeliveryWorld
  let grace: string
  beforeAll(async () => {
    smtp = await startSmtp()
  })
  afterAll(() => smtp?.stop())
  beforeEach(async () => {
    smtp.mails.length = 0
    smtp.rejected.clear()
    smtp.busy = false
    world = await makeDeliveryWorld(await newAcme(), smtp.url)
    const made = await insertUser(world.context, {
      name: 'Grace',
      email: 'grace@example.com',
      passwordHash: 'x',
    })
    if (!made.ok) throw new Error(made.code)
    grace = made.userId
    await addMember(world.context, { organizationId: world.organizationId, userId: grace, role: 'member' })
  })
  const recipients = () => smtp.mails.map(({ to }) => to).toSorted()
  const send = async (channelId: number, message: object = {}) => {
    const [id] = await world.enqueueAll([{ channelId, key: `k${Object.keys(message)}${smtp.mails.length}`, message }])
    await world.worker('a').run()
    return world.row(id)
  }

  test('mail has text and HTML, one thread per issue, and a one-click unsubscribe', async () => {
    const channel = await world.addChannel('email', { to: 'grace@example.com' })
    const row = await send(channel)
    expect(row).toMatchObject({ state: 'sent', reached: '["grace@example.com"]' })
    const { headers, raw } = smtp.mails[0] ?? { headers: new Map(), raw: '' }
    expect(Object.fromEntries(headers)).toMatchObject({
      from: 'Hydrant <alerts@hydrant.example>',
      to: 'grace@example.com',
      subject: "[web] WEB-42 TypeError: Cannot read properties of undefined (reading 'price')",
      'list-id': '<web.acme.hydrant.example>',
      'x-hydrant-project': 'web',
      'message-id': `<${row.id}@hydrant.example>`,
      'in-reply-to': '<issue.42.acme@hydrant.example>',
      references: '<issue.42.acme@hydrant.example>',
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
      'auto-submitted': 'auto-generated',
    })
    expect(raw).toContain('Content-Type: text/plain')
    expect(raw).toContain('Content-Type: text/html')
    expect(raw).not.toMatch(/<img/i)

    const url = /^<(.+)>$/.exec(headers.get('list-unsubscribe') ?? '')?.[1] ?? ''
    expect(url.startsWith(`${hydrantUrl}/api/unsubscribe/`)).toBe(true)
    const subscription = readUnsubscribe(installationSecret, url.split('/').at(-1) ?? '')
    expect(subscription).toEqual({ channelId: channel, email: 'grace@example.com' })
    expect(readUnsubscribe('x'.repeat(64), url.split('/').at(-1) ?? '')).toBeNull()
    if (subscription) await setSubscribed(world.control.db, subscription, false, world.clock.now)
    expect(await send(channel, { title: 'second' })).toMatchObject({ state: 'sent' })
    expect(smtp.mails).toHaveLength(1)
    if (subscription) await setSubscribed(world.control.db, subscription, true, world.clock.now)
    await send(channel, { title: 'third', more: 1 })
    expect(smtp.mails).toHaveLength(2)
    const subjects = smtp.mails.map(mail => mail.headers.get('subject'))
    expect(new Set(subjects).size).toBe(1)
  })

  test('recipients are those of the moment: members, teams, and the assignee in addition to them', async () => {
    const everybody = await world.addChannel('email', { to: 'assignee, members, audit@example.org' })
    const issue = await world.addIssue()
    await send(everybody, { issue })
    expect(recipients()).toEqual(['ada@example.com', 'audit@example.org', 'grace@example.com'])

    smtp.mails.length = 0
    await world.control.db
      .updateTable('issue')
      .set({ assignee: `user:${grace}` })
      .where('id', '=', issue)
      .execute()
    await send(everybody, { issue, a: 1 })
    expect(recipients()).toEqual(['ada@example.com', 'audit@example.org', 'grace@example.com'])
    smtp.mails.length = 0
    const assigned = await world.addChannel('email', { to: 'assignee, audit@example.org' })
    await send(assigned, { issue, b: 1 })
    expect(recipients()).toEqual(['audit@example.org', 'grace@example.com'])

    smtp.mails.length = 0
    await createTeam(world.context, {
      organizationId: world.organizationId,
      slug: 'ops',
      name: 'Ops',
      userIds: [grace],
    })
    const team = await world.addChannel('email', { to: 'team:ops' })
    await send(team, { b: 1 })
    expect(recipients()).toEqual(['grace@example.com'])

    smtp.mails.length = 0
    await world.control.db.deleteFrom('member').where('user_id', '=', grace).execute()
    await send(team, { c: 1 })
    expect(recipients()).toEqual([])
  })

  test('a private project is told to members who see it, and a summary shows each what they see', async () => {
    const channel = await world.addChannel('email', { to: 'members' })
    const { organizationId, web: projectId } = world
    const access = { organizationId, projectId, isPrivate: true }
    await setProjectAccess(world.context, { ...access, teamIds: [] })
    await send(channel)
    expect(recipients()).toEqual(['ada@example.com'])

    const items = [
      { title: 'Secret failure', url: `${hydrantUrl}/1`, projectId },
      { title: 'Open failure', url: `${hydrantUrl}/2`, projectId: world.other },
    ]
    await send(channel, { items, more: 7, title: '9 more alerts' })
    const mailTo = (name: string) => smtp.mails.findLast(({ to }) => to === `${name}@example.com`)
    expect(mailTo('ada')?.raw).toMatch(/Secret failure[\s\S]*Open failure/)
    expect(mailTo('grace')?.headers.get('subject')).toBe('Open failure')
    expect(mailTo('grace')?.raw).toContain('Open failure')
    expect(mailTo('grace')?.raw).not.toMatch(/Secret|7 more/)

    smtp.mails.length = 0
    const team = { organizationId, slug: 'ops', name: 'Ops', userIds: [grace] }
    const made = await createTeam(world.context, team)
    if (!made.ok) throw new Error(made.code)
    await setProjectAccess(world.context, { ...access, teamIds: [made.teamId] })
    await send(channel, { again: 1 })
    expect(recipients()).toEqual(['ada@example.com', 'grace@example.com'])
  })

  test('a retry writes only to whom the first attempt has not reached', async () => {
    const channel = await world.addChannel('email', { to: 'members, wrong@example.org' })
    smtp.rejected.set('grace@example.com', 450)
    smtp.rejected.set('wrong@example.org', 550)
    const [id] = await world.enqueueAll([{ channelId: channel, key: 'k' }])
    await world.worker('a').run()
    expect(await world.row(id)).toMatchObject({ state: 'queued', reached: '["ada@example.com"]' })
    smtp.rejected.delete('grace@example.com')
    world.clock.now += 60_000
    await world.worker('a').run()
    expect(recipients()).toEqual(['ada@example.com', 'grace@example.com'])
    expect(await world.row(id)).toMatchObject({ state: 'sent' })
  })

  test('no text of an event adds a header or a recipient', async () => {
    const channel = await world.addChannel('email', { to: 'grace@example.com' })
    for (const [index, title] of hostileTexts.slice(0, 20).entries())
      await send(channel, { title, [`n${index}`]: index })
    expect(smtp.mails).toHaveLength(20)
    expect(new Set(recipients())).toEqual(new Set(['grace@example.com']))
    for (const { headers, raw } of smtp.mails) {
      expect([...headers.keys()].filter(name => /^(?:bcc|cc)$/.test(name))).toEqual([])
      expect(headers.get('to')).toBe('grace@example.com')
      expect(Buffer.byteLength(raw)).toBeLessThan(100_000)
    }
  })

  test('who owns a channel that is switched off gets mail', async () => {
    const receiver: Receiver = await startReceiver()
    const passGone = async () => {
      for (const end = world.clock.now + goneForMs + 20 * 60_000; world.clock.now < end; world.clock.now += 60_000)
        await world.worker('a').run()
    }
    try {
      const hook = await world.addChannel('webhook', { url: receiver.url }, 'partner hook')
      receiver.always = { status: 404, body: 'not here' }
      await world.enqueueAll([{ channelId: hook, key: 'k' }])
      await passGone()
      expect(smtp.mails.map(({ to, headers }) => [to, headers.get('subject')])).toEqual([
        ['ada@example.com', 'Channel partner hook was switched off'],
      ])
      // Without its owner, those hear of it who can repair it: Grace is a member.
      smtp.mails.length = 0
      const second = await world.addChannel('webhook', { url: receiver.url }, 'orphan')
      await world.control.db.updateTable('channel').set({ owner_user_id: null }).where('id', '=', second).execute()
      await world.enqueueAll([{ channelId: second, key: 'k2' }])
      await passGone()
      expect(smtp.mails.map(({ to }) => to)).toEqual(['ada@example.com'])
    } finally {
      await receiver.stop()
    }
  })

  test('after 14 minutes without a mail server, every recipient gets every mail once, within a minute', async () => {
    const channel = await world.addChannel('email', { to: 'ada@example.com, grace@example.com' })
    const ids = await world.enqueueAll(
      Array.from({ length: 7 }, (_, index) => ({ channelId: channel, key: `k${index}` })),
    )
    smtp.busy = true
    for (const end = world.clock.now + 14 * 60_000; world.clock.now < end; world.clock.now += 10_000)
      await world.worker('a').run()
    expect(smtp.mails).toEqual([])
    expect(await world.channel(channel)).toMatchObject({ state: 'failing' })
    smtp.busy = false
    for (const end = world.clock.now + 60_000; world.clock.now < end; world.clock.now += 10_000)
      await world.worker('a').run()
    const got = smtp.mails.map(({ to, headers }) => `${to} ${headers.get('message-id')?.slice(1, 37)}`)
    const wanted = ids.flatMap(id => [`ada@example.com ${id}`, `grace@example.com ${id}`])
    expect(got.toSorted()).toEqual(wanted.toSorted())
    expect(await world.channel(channel)).toMatchObject({ state: 'active' })
  })

  test('a temporarily rejected recipient does not delay the others, and gets all waiting mail with the first success', async () => {
    const both = await world.addChannel('email', { to: 'ada@example.com, grace@example.com' })
    smtp.rejected.set('grace@example.com', 451)
    const ids = await world.enqueueAll(Array.from({ length: 5 }, (_, index) => ({ channelId: both, key: `k${index}` })))
    await world.worker('a').run()
    expect(recipients()).toEqual(ids.map(() => 'ada@example.com'))
    expect(await world.channel(both)).toMatchObject({ state: 'active' })
    for (let minutes = 0; minutes < 14; minutes++) {
      world.clock.now += 60_000
      await world.worker('a').run()
    }
    smtp.rejected.clear()
    for (let minutes = 0; minutes < 6; minutes++) {
      world.clock.now += 60_000
      await world.worker('a').run()
    }
    expect(recipients()).toEqual([...ids.map(() => 'ada@example.com'), ...ids.map(() => 'grace@example.com')])
  })

  test('a server that does not answer is tried again', async () => {
    const down = await makeDeliveryWorld(await newAcme(), 'smtp://127.0.0.1:1')
    const channel = await down.addChannel('email', { to: 'grace@example.com' })
    const [id] = await down.enqueueAll([{ channelId: channel, key: 'k' }])
    await down.worker('a').run()
    expect(await down.row(id)).toMatchObject({ state: 'queued', attempts: 1 })
  })
})
