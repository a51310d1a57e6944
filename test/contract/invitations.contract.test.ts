import { beforeEach, expect, test } from 'vitest'
import { acceptAsNewUser, acceptInvitation, findOpenInvitation } from '#domain/members/accept-invitation.ts'
import { changeMemberRole } from '#domain/members/change-member.ts'
import { invitationDays, listInvitations, revokeInvitation } from '#domain/members/invite-member.ts'
import { removeMember } from '#domain/members/remove-member.ts'
import { createTeam, deleteTeam } from '#domain/members/teams.ts'
import { createOrganization } from '#domain/projects/create-project.ts'
import { viewAs } from '../view-as.ts'
import { type MembersWorld, makeMembersWorld } from './members-world.ts'
import { onEachEngine } from './on-each-engine.ts'

const dayMs = 86_400_000
const invalid = { ok: false, code: 'invitation_invalid' }

onEachEngine(({ newAcme }) => {
  let world: MembersWorld
  let admin: string
  beforeEach(async () => {
    world = await makeMembersWorld(await newAcme())
    admin = await world.add('alan', 'admin')
  })
  const accept = (token: string, userId: string) => acceptInvitation(world.as(userId), { token, userId })
  const newAccount = { name: 'Grace', email: 'grace@example.com', password: 'a long password' }

  test('a person without an account gets one and joins with the role and the teams of the invitation', async () => {
    const teams = await Promise.all(
      ['kept', 'gone'].map(slug =>
        createTeam(world.context, { organizationId: world.organizationId, slug, name: slug, userIds: [] }),
      ),
    )
    const teamIds = teams.map(team => (team.ok ? team.teamId : 0))
    const token = await world.link(admin, 'member', { teamIds })
    await deleteTeam(world.context, { organizationId: world.organizationId, teamId: teamIds[1] ?? 0 })
    const joined = await acceptAsNewUser({ ...world.context, actor: 'invitation' }, { token, ...newAccount })
    const account = { email: 'grace@example.com', isTakenOver: false }
    expect(joined).toEqual({ ok: true, organizationSlug: 'acme', role: 'member', ...account })
    const { id } = await world.control.db
      .selectFrom('user')
      .select('id')
      .where('email', '=', 'grace@example.com')
      .executeTakeFirstOrThrow()
    expect(await world.roleOf(id)).toBe('member')
    const inTeams = await world.control.db
      .selectFrom('team_member')
      .select('team_id')
      .where('user_id', '=', id)
      .execute()
    expect(inTeams).toEqual([{ team_id: teamIds[0] }])
  })

  test('a link works once, also for two at the same time', async () => {
    const token = await world.link(admin, 'viewer')
    const people = await Promise.all(['one', 'two', 'three'].map(name => world.addUser(name)))
    const results = await Promise.all(people.map(userId => accept(token, userId)))
    expect(results.filter(({ ok }) => ok)).toHaveLength(1)
    expect(results.filter(({ ok }) => !ok)).toEqual([invalid, invalid])
    expect(await acceptAsNewUser(world.context, { token, ...newAccount })).toEqual(invalid)
  })

  test('an expired, revoked or invented link is invalid, and a refused one makes no account', async () => {
    const [expired, revoked] = [await world.link(admin, 'viewer'), await world.invite(admin, 'viewer')]
    if (!revoked.ok) throw new Error(revoked.code)
    const target = { organizationId: world.organizationId, invitationId: revoked.id }
    expect(await revokeInvitation(world.as(admin), target)).toEqual({ ok: true })
    expect(await revokeInvitation(world.as(admin), target)).toEqual({ ok: false, code: 'invitation_not_found' })
    const elsewhere = await createOrganization(world.context, { slug: 'globex' })
    if (!elsewhere.ok) throw new Error(elsewhere.code)
    const foreign = { ...target, organizationId: elsewhere.organization.id }
    expect(await revokeInvitation(world.context, foreign)).toMatchObject({ ok: false })
    world.clock.now += invitationDays * dayMs
    for (const token of [expired, revoked.token, 'invented', ''])
      expect(await acceptAsNewUser(world.context, { token, ...newAccount }), token).toEqual(invalid)
    // An invented link is refused before anything is hashed or said about a password.
    expect(await acceptAsNewUser(world.context, { token: 'invented', ...newAccount, password: 'a' })).toEqual(invalid)
    const accounts = await world.control.db.selectFrom('user').select('id').where('name', '=', 'Grace').execute()
    expect(accounts).toEqual([])
  })

  test('an invitation is never worth more than its inviter when it is accepted', async () => {
    const other = await world.add('olga', 'owner')
    const [asOwner, asAdmin] = [await world.link(other, 'owner'), await world.link(other, 'admin')]
    const change = (role: 'admin' | 'member') =>
      changeMemberRole(world.context, { organizationId: world.organizationId, userId: other, role })
    await change('admin')
    const first = await world.addUser('first')
    expect(await accept(asOwner, first)).toMatchObject({ ok: true, role: 'admin' })
    await change('member')
    expect(await accept(asAdmin, await world.addUser('second'))).toEqual(invalid)
  })

  test('the invitations of a removed member are void', async () => {
    const token = await world.link(admin, 'viewer')
    const gone = { organizationId: world.organizationId, userId: admin, withCreatedTokens: false }
    expect(await removeMember(world.context, gone)).toMatchObject({ ok: true })
    expect(await accept(token, await world.addUser('late'))).toEqual(invalid)
    expect(await findOpenInvitation({ db: world.control.db, now: world.context.now }, token)).toBeNull()
  })

  test('nobody invites above their own role, and members and viewers invite nobody', async () => {
    const [member, viewer] = [await world.add('mia', 'member'), await world.add('vera', 'viewer')]
    const refused = { ok: false, code: 'not_permitted' }
    expect(await world.invite(admin, 'owner')).toEqual(refused)
    expect(await world.invite(member, 'viewer')).toEqual(refused)
    expect(await world.invite(viewer, 'viewer')).toEqual(refused)
    expect(await world.invite(await world.addUser('stranger'), 'viewer')).toEqual(refused)
    const ownerOnly = await world.invite(world.owner, 'owner')
    if (!ownerOnly.ok) throw new Error(ownerOnly.code)
    const target = { organizationId: world.organizationId, invitationId: ownerOnly.id }
    expect(await revokeInvitation(world.as(admin), target)).toEqual(refused)
  })

  test('an invited address is the address of the new account, and a proven other address is refused', async () => {
    const token = await world.link(admin, 'member', { email: ' Kai@Example.com ' })
    const mallory = await world.addUser('mallory')
    await world.control.db
      .updateTable('user')
      .set({ emailVerified: world.control.dialect === 'sqlite' ? 1 : true })
      .where('id', '=', mallory)
      .execute()
    expect(await accept(token, mallory)).toEqual({ ok: false, code: 'invitation_of_other' })
    const joined = await acceptAsNewUser(world.context, { token, ...newAccount, email: 'mallory2@example.com' })
    expect(joined).toMatchObject({ ok: true, email: 'kai@example.com' })
    expect(await world.invite(admin, 'member', { email: 'kai@example.com' })).toEqual({
      ok: false,
      code: 'member_exists',
    })
  })

  test('a new invitation of an address replaces the old one, and a member’s own click uses none up', async () => {
    const [old, fresh] = [
      await world.link(admin, 'member', { email: 'kai@example.com' }),
      await world.link(admin, 'viewer', { email: 'kai@example.com' }),
    ]
    expect(await accept(old, await world.addUser('kai'))).toEqual(invalid)
    expect(await accept(fresh, admin)).toEqual({ ok: false, code: 'member_exists' })
    const viewer = viewAs(
      { control: world.control },
      { projects: [], organization: { id: world.organizationId, slug: 'acme', name: '' }, now: world.clock.now },
    )
    expect(await listInvitations(viewer)).toMatchObject([
      { email: 'kai@example.com', role: 'viewer', invitedBy: 'alan' },
    ])
    expect(JSON.stringify(await world.control.db.selectFrom('invitation').selectAll().execute())).not.toContain(fresh)
  })
})
