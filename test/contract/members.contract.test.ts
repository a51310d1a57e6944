import { beforeEach, expect, test } from 'vitest'
import { assignIssues } from '#domain/issues/commands/assign-issues.ts'
import { changeMemberRole, transferOwnership } from '#domain/members/change-member.ts'
import { removeMember } from '#domain/members/remove-member.ts'
import { createTeam } from '#domain/members/teams.ts'
import type { MemberRole } from '#store/control/schema.ts'
import { type MembersWorld, makeMembersWorld } from './members-world.ts'
import { onEachEngine } from './on-each-engine.ts'

onEachEngine(({ newAcme }) => {
  let world: MembersWorld
  beforeEach(async () => {
    world = await makeMembersWorld(await newAcme())
  })
  const change = (by: string, userId: string, role: MemberRole) =>
    changeMemberRole(world.as(by), { organizationId: world.organizationId, userId, role })
  const remove = (by: string, userId: string) =>
    removeMember(world.as(by), { organizationId: world.organizationId, userId, withCreatedTokens: false })
  const owners = async () =>
    (await world.control.db.selectFrom('member').select('user_id').where('role', '=', 'owner').execute()).length
  const refused = { ok: false, code: 'not_permitted' }
  const lastOwner = { ok: false, code: 'last_owner' }

  test('owners change every role, admins all but owners, and the others none', async () => {
    const [admin, member, viewer] = [
      await world.add('alan', 'admin'),
      await world.add('mia', 'member'),
      await world.add('vera', 'viewer'),
    ]
    expect(await change(admin, member, 'admin')).toEqual({ ok: true })
    expect(await change(admin, member, 'owner')).toEqual(refused)
    expect(await change(admin, world.owner, 'viewer')).toEqual(refused)
    expect(await change(viewer, viewer, 'admin')).toEqual(refused)
    expect(await change(member, viewer, 'member')).toEqual({ ok: true })
    expect(await change(admin, member, 'viewer')).toEqual({ ok: true })
    // Since then, a click on a page that was opened before is refused.
    expect(await change(member, viewer, 'viewer')).toEqual(refused)
    expect(await remove(viewer, member)).toEqual(refused)
    expect(await remove(admin, world.owner)).toEqual(refused)
    expect(await change(world.owner, admin, 'owner')).toEqual({ ok: true })
    expect(await change(admin, 'nobody', 'viewer')).toEqual({ ok: false, code: 'member_not_found' })
  })

  test('the last owner stays owner and stays', async () => {
    expect(await change(world.owner, world.owner, 'admin')).toEqual(lastOwner)
    expect(await remove(world.owner, world.owner)).toEqual(lastOwner)
    expect(await owners()).toBe(1)
  })

  test('of several owners who leave, step down or remove each other at once, one stays', async () => {
    const second = await world.add('olga', 'owner')
    const third = await world.add('otto', 'owner')
    const results = await Promise.all([
      remove(world.owner, world.owner),
      change(second, second, 'viewer'),
      remove(third, third),
      remove(second, world.owner),
      change(third, second, 'member'),
    ])
    expect(results.filter(({ ok }) => ok).length).toBeGreaterThan(0)
    expect(await owners()).toBe(1)
  })

  test('ownership goes to another member at once, and only from an owner', async () => {
    const admin = await world.add('alan', 'admin')
    const transfer = (from: string, userId: string) =>
      transferOwnership(world.as(from), { organizationId: world.organizationId, userId, from })
    expect(await transfer(admin, admin)).toEqual(refused)
    expect(await transfer(world.owner, 'nobody')).toEqual({ ok: false, code: 'member_not_found' })
    expect(await transfer(world.owner, world.owner)).toEqual({ ok: false, code: 'member_not_found' })
    expect(await transfer(world.owner, admin)).toEqual({ ok: true })
    expect([await world.roleOf(admin), await world.roleOf(world.owner)]).toEqual(['owner', 'admin'])
  })

  test('a removed member is in no team, has no issues and no tokens; tokens of the organization go if that is chosen', async () => {
    const { organizationId, control } = world
    const member = await world.add('mia', 'admin')
    await createTeam(world.context, { organizationId, slug: 'core', name: 'Core', userIds: [member] })
    const issueId = await world.addIssue()
    await assignIssues(world.context, { scope: [world.web], issueIds: [issueId], assignee: `user:${member}` })
    const token = { organization_id: organizationId, token_hint: '', scopes: '[]', created_by: member, created_at: 1 }
    const never = { last_used_at: null, revoked_at: null }
    await control.db
      .insertInto('auth_token')
      .values([
        { ...token, ...never, name: 'own', token_hash: 'a', user_id: member },
        { ...token, ...never, name: 'shared', token_hash: 'b' },
      ])
      .execute()
    const active = async () =>
      (await control.db.selectFrom('auth_token').select('name').where('revoked_at', 'is', null).execute()).map(
        ({ name }) => name,
      )
    expect(await remove(world.owner, member)).toEqual({ ok: true, unassigned: 1, revokedTokens: 1 })
    expect(await active()).toEqual(['shared'])
    expect(await control.db.selectFrom('team_member').selectAll().execute()).toEqual([])
    expect(await control.db.selectFrom('issue').select('assignee').execute()).toEqual([{ assignee: '' }])
    expect(await remove(world.owner, member)).toEqual({ ok: false, code: 'member_not_found' })
    const again = await world.add('mia2', 'admin')
    await control.db.updateTable('auth_token').set({ created_by: again }).where('name', '=', 'shared').execute()
    const gone = await removeMember(world.context, { organizationId, userId: again, withCreatedTokens: true })
    expect(gone).toMatchObject({ ok: true, revokedTokens: 1 })
    expect(await active()).toEqual([])
  })
})
