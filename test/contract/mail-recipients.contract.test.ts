/** Who gets a mail about an issue: each member decides for themselves, whoever the issue is assigned to. */
import { expect, test } from 'vitest'
import { saveNotificationChoices } from '#domain/alerts/notifications.ts'
import { listMailRecipients } from '#domain/alerts/notify-members.ts'
import type { IssueMessage } from '#domain/alerts/stored-message.ts'
import { readRecipients } from '#domain/channels/kinds/email.ts'
import { findRecipients, rulesOf } from '#domain/channels/mail/find-recipients.ts'
import { setSubscribed } from '#domain/channels/mail/unsubscribe.ts'
import { notificationTypes } from '#domain/channels/notification-settings.ts'
import { addMember, insertUser } from '#domain/members/add-member.ts'
import { createTeam } from '#domain/members/teams.ts'
import { setProjectAccess } from '#domain/projects/project-access.ts'
import { makeDeliveryWorld } from '../channels/delivery-world.ts'
import { makeMessage } from '../channels/make-message.ts'
import { onEachEngine } from './on-each-engine.ts'

const types = ['issue.new', 'issue.regressed', 'issue.resolved'] as const
type Type = (typeof types)[number]
const states = ['untouched', 'on', 'off', 'unsubscribed', 'sees nothing'] as const
type State = (typeof states)[number]

/** As a sentence of the settings page says it. */
const wants = (state: State, type: Type): boolean => {
  if (state === 'on') return true
  return state === 'untouched' && notificationTypes[type].email
}

onEachEngine(({ newAcme }) => {
  async function makeMembers() {
    const world = await makeDeliveryWorld(await newAcme())
    const { organizationId, context } = world
    const add = async (name: string) => {
      const made = await insertUser(context, { name, email: `${name}@example.com`, passwordHash: 'x' })
      if (!made.ok) throw new Error(made.code)
      await addMember(context, { organizationId, userId: made.userId, role: 'member' })
      return made.userId
    }
    const ids = { bob: await add('bob'), carol: await add('carol') }
    const channelId = await world.addChannel('email', { to: 'assignee, members' })
    const issueId = await world.addIssue()
    const setState = async (name: keyof typeof ids, state: State) => {
      const userId = ids[name]
      await world.control.db.deleteFrom('notification_setting').where('user_id', '=', userId).execute()
      const email = state !== 'off'
      if (state !== 'untouched')
        await saveNotificationChoices(context, {
          ...{ organizationId, userId },
          choices: Object.fromEntries(types.map(type => [type, { inApp: true, email }])),
        })
      const subscription = { channelId, email: `${name}@example.com` }
      await setSubscribed(world.control.db, subscription, state !== 'unsubscribed', world.clock.now)
    }
    /** Those in the team see the project. */
    const setSight = async (seeing: string[]) => {
      const teams = await world.control.db.selectFrom('team').select('id').execute()
      const made = await createTeam(context, {
        organizationId,
        slug: `sees-${teams.length}`,
        name: 'See',
        userIds: seeing,
      })
      if (!made.ok) throw new Error(made.code)
      await setProjectAccess(context, {
        organizationId,
        projectId: world.web,
        isPrivate: seeing.length < 2,
        teamIds: [made.teamId],
      })
    }
    const assign = (assignee: string) =>
      world.control.db.updateTable('issue').set({ assignee }).where('id', '=', issueId).execute()
    const stored = (type: Type): IssueMessage => ({
      ...{ kind: 'issue', type, issueId, projectId: world.web, ruleId: null },
      ...{ at: world.clock.now, severity: 'warning', reason: '' },
    })
    const find = async (rules: readonly string[], type: Type) => {
      const base = makeMessage({ type, project: { id: world.web, slug: 'web' } })
      const message = { ...base, issue: base.issue && { ...base.issue, id: issueId } }
      const found = await findRecipients(world.control.db, {
        organizationId,
        channelId,
        rules: rulesOf(rules),
        message,
      })
      return found.map(({ address }) => address.split('@')[0] ?? '').toSorted()
    }
    return { world, ids, setState, setSight, assign, stored, find }
  }

  test('with the default rule, each member gets what they have chosen, assigned or not', async () => {
    const { world, ids, setState, setSight, assign, stored, find } = await makeMembers()
    const sees = (state: State) => state !== 'sees nothing'
    for (const bob of states)
      for (const carol of states) {
        await setState('bob', bob)
        await setState('carol', carol)
        await setSight([...(sees(bob) ? [ids.bob] : []), ...(sees(carol) ? [ids.carol] : [])])
        for (const assignee of ['', `user:${ids.bob}`, `user:${ids.carol}`]) {
          await assign(assignee)
          for (const type of types) {
            const rules = await world.control.db
              .transaction()
              .execute(trx => listMailRecipients(trx, world.organizationId, stored(type)))
            const expected = [
              ...(notificationTypes[type].email ? ['ada'] : []),
              ...(wants(bob, type) ? ['bob'] : []),
              ...(wants(carol, type) ? ['carol'] : []),
            ]
            expect(await find(rules, type), `bob ${bob}, carol ${carol}, assigned to ${assignee}, ${type}`).toEqual(
              expected,
            )
          }
        }
      }
  })

  test('a custom rule reaches its named recipients and the assignee, except members who opted out', async () => {
    const { world, ids, setState, setSight, assign, find } = await makeMembers()
    const { organizationId, context } = world
    await createTeam(context, { organizationId, slug: 'ops', name: 'Ops', userIds: [ids.carol] })
    /** If a type is off by default, a custom rule still sends it. */
    const isMuted = (state: State, type: Type) => state === 'off' && notificationTypes[type].email
    for (const bob of states) {
      await setState('bob', bob)
      await setSight(bob === 'sees nothing' ? [ids.carol] : [ids.bob, ids.carol])
      const reachesBob = (type: Type) => !isMuted(bob, type) && bob !== 'unsubscribed' && bob !== 'sees nothing'
      for (const type of types)
        for (const isAssigned of [true, false]) {
          await assign(isAssigned ? `user:${ids.bob}` : '')
          for (const [to, others, namesBob] of [
            ['assignee', [], isAssigned],
            ['assignee, members', ['ada', 'carol'], true],
            ['assignee, team:ops', ['carol'], isAssigned],
            ['assignee, team:ops, audit@example.org', ['audit', 'carol'], isAssigned],
            ['members', ['ada', 'carol'], true],
          ] as const) {
            expect(readRecipients(to)).not.toBeNull()
            const expected = [...others, ...(namesBob && reachesBob(type) ? ['bob'] : [])].toSorted()
            expect(await find(to.split(', '), type), `${to}, bob ${bob}, assigned ${isAssigned}, ${type}`).toEqual(
              expected,
            )
          }
        }
    }
  })

  test('an issue of a team goes to its members in addition to the others', async () => {
    const { world, ids, assign, find } = await makeMembers()
    const { organizationId, context } = world
    const team = await createTeam(context, { organizationId, slug: 'ops', name: 'Ops', userIds: [ids.bob] })
    if (!team.ok) throw new Error(team.code)
    await assign(`team:${team.teamId}`)
    expect(await find(['assignee', `user:${ids.carol}`], 'issue.regressed')).toEqual(['bob', 'carol'])
  })

  test('members can’t turn off mail that isn’t about an issue or an incident', async () => {
    const { world, setState } = await makeMembers()
    await setState('bob', 'off')
    const message = makeMessage({ kind: 'test', type: 'test', project: null, issue: null })
    const asked = { organizationId: world.organizationId, channelId: 0, rules: rulesOf(['members']), message }
    expect(await findRecipients(world.control.db, asked)).toHaveLength(3)
  })
})
