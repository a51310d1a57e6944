import { beforeEach, expect, test } from 'vitest'
import { assignIssues } from '#domain/issues/commands/assign-issues.ts'
import { createTeam, deleteTeam, setTeamMember } from '#domain/members/teams.ts'
import { createOrganization } from '#domain/projects/create-project.ts'
import { onEachEngine } from './on-each-engine.ts'
import { makeWorld, type World } from './workflow-world.ts'

onEachEngine(({ newAcme }) => {
  let world: World
  let organizationId: number
  beforeEach(async () => {
    world = await makeWorld(await newAcme())
    const project = await world.control.db
      .selectFrom('project')
      .select('organization_id')
      .where('id', '=', world.web)
      .executeTakeFirstOrThrow()
    organizationId = project.organization_id
  })

  const makeTeam = async (slug: string, home = organizationId) => {
    const made = await createTeam(world.context, { organizationId: home, slug, name: slug, userIds: [world.userId] })
    if (!made.ok) throw new Error(made.code)
    return made.teamId
  }
  const assign = (issueId: number, assignee: string) =>
    assignIssues(world.context, { scope: [world.web], issueIds: [issueId], assignee })
  const assigneeOf = async (id: number) =>
    (await world.control.db.selectFrom('issue').select('assignee').where('id', '=', id).executeTakeFirstOrThrow())
      .assignee
  const peopleIn = async (team_id: number) =>
    (await world.control.db.selectFrom('team_member').select('user_id').where('team_id', '=', team_id).execute()).length

  test('an issue is given to a team, and is nobody’s when the team is gone', async () => {
    const [issue, team] = [await world.addIssue(), await makeTeam('checkout')]
    expect(await assign(issue, `team:${team}`)).toMatchObject({ ok: true, changed: 1 })
    expect(await assigneeOf(issue)).toBe(`team:${team}`)
    expect(await deleteTeam(world.context, { organizationId, teamId: team })).toEqual({ ok: true, unassigned: 1 })
    expect(await assigneeOf(issue)).toBe('')
    const last = await world.control.db
      .selectFrom('issue_activity')
      .select(['kind', 'detail'])
      .orderBy('id', 'desc')
      .executeTakeFirst()
    expect(last).toEqual({ kind: 'assigned', detail: '{"assignee":""}' })
  })

  test('a team of another organization is not there: not to assign to, not to change, not to delete', async () => {
    const other = await createOrganization(world.context, { slug: 'globex' })
    if (!other.ok) throw new Error(other.code)
    const [issue, team] = [await world.addIssue(), await makeTeam('ops', other.organization.id)]
    expect(await assign(issue, `team:${team}`)).toEqual({ ok: false, code: 'assignee_not_found' })
    expect(await assign(issue, 'team:x')).toEqual({ ok: false, code: 'assignee_not_found' })
    const target = { organizationId, teamId: team }
    expect(await deleteTeam(world.context, target)).toEqual({ ok: false, code: 'team_not_found' })
    expect(await setTeamMember(world.context, { ...target, userId: world.userId, isIn: false })).toEqual({
      ok: false,
      code: 'team_not_found',
    })
  })

  test('people join and leave; strangers cannot; a name is taken once', async () => {
    const team = await makeTeam('web')
    const target = { organizationId, teamId: team, userId: world.userId }
    expect(await peopleIn(team)).toBe(1)
    await setTeamMember(world.context, { ...target, isIn: true })
    expect(await peopleIn(team)).toBe(1)
    await setTeamMember(world.context, { ...target, isIn: false })
    expect(await peopleIn(team)).toBe(0)
    expect(await setTeamMember(world.context, { ...target, userId: 'nobody', isIn: true })).toEqual({
      ok: false,
      code: 'assignee_not_found',
    })
    const again = await createTeam(world.context, { organizationId, slug: 'web', name: 'Web', userIds: [] })
    expect(again).toEqual({ ok: false, code: 'slug_taken' })
  })
})
