'use server'
import { z } from 'zod'
import { createTeam, deleteTeam, setTeamMember } from '#domain/members/teams.ts'
import { createProjectKey, switchProjectKey } from '#domain/projects/project-keys.ts'
import { formatWhole } from '#lib/format-whole.ts'
import { defineAction } from '#web/define-action.ts'
import { formId } from '#web/form-number.ts'
import { slugify } from '#web/slugify.ts'
import { ownProjectId } from './own-project-id.ts'

const id = formId

export const submitKey = defineAction(
  {
    input: z.object({ project: id, label: z.string().trim().max(60, 'Use at most 60 characters.') }),
    verb: 'key.create',
  },
  (context, { project, label }, viewer) =>
    createProjectKey(context, {
      organizationId: viewer.organization.id,
      projectId: ownProjectId(viewer, project),
      label,
    }),
  () => ({ say: 'Key created.' }),
)

/** Enables or disables a key. Events sent with a disabled key are rejected. */
export const switchKey = defineAction(
  {
    input: z.object({ project: id, key: id, to: z.enum(['on', 'off']) }),
    verb: 'key.switch',
  },
  async (context, { project, key, to }, viewer) => {
    const projectId = ownProjectId(viewer, project)
    const target = { organizationId: viewer.organization.id, projectId, keyId: key }
    const result = await switchProjectKey(context, { ...target, isActive: to === 'on' })
    return result.ok ? { ...result, to } : result
  },
  ({ to }) => ({
    say: to === 'on' ? 'Key enabled.' : 'Key disabled. Events sent with it are rejected.',
  }),
)

/** The creator becomes the first member, because an empty team is of no use. */
export const submitTeam = defineAction(
  {
    input: z.object({ team: z.string().trim().min(1, 'Enter a name.').max(50) }),
    verb: 'team.create',
    faultField: 'team',
  },
  (context, { team }, viewer) =>
    createTeam(context, {
      organizationId: viewer.organization.id,
      slug: slugify(team),
      name: team,
      userIds: [viewer.user.id],
    }),
  () => ({ say: 'Team created. You can assign issues to it.' }),
)

/** `change` is the value of the pressed button: `add:<user>`, `remove:<user>` or `delete`. */
export const changeTeam = defineAction(
  {
    input: z.object({ team: id, change: z.string().max(200) }),
    verb: {
      among: ['team.change', 'team.delete'],
      chosen: ({ change }) => (change === 'delete' ? 'team.delete' : 'team.change'),
    },
  },
  async (context, { team: teamId, change }, viewer) => {
    const team = { organizationId: viewer.organization.id, teamId }
    if (change === 'delete') {
      const result = await deleteTeam(context, team)
      return result.ok ? { ok: true as const, say: deletedMessage(result.unassigned) } : result
    }
    const [verb, userId = ''] = change.split(/:(.*)/s)
    const result = await setTeamMember(context, { ...team, userId, isIn: verb === 'add' })
    return result.ok ? { ok: true as const, say: 'Team members changed.' } : result
  },
  ({ say }) => ({ say }),
)

const deletedMessage = (unassigned: number): string =>
  unassigned === 0
    ? 'Team deleted.'
    : `Team deleted. ${formatWhole(unassigned)} ${unassigned === 1 ? 'issue is' : 'issues are'} unassigned.`
