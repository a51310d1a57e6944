'use server'
import { z } from 'zod'
import { createTeam, deleteTeam, setTeamMember } from '#domain/members/teams.ts'
import { createProjectKey, switchProjectKey } from '#domain/projects/project-keys.ts'
import { defineAction } from '#web/define-action.ts'
import { slugify } from '#web/slugify.ts'
import { ownProjectId } from './own-project-id.ts'

const id = z.coerce.number().int().positive()

export const submitKey = defineAction(
  {
    input: z.object({ project: id, label: z.string().trim().max(60, 'Use at most 60 characters.') }),
    verb: 'key.create',
  },
  (context, { project, label }, viewer) =>
    createProjectKey(context, { projectId: ownProjectId(viewer, project), label }),
  () => ({ say: 'The key is ready.' }),
)

/** Apps that use the key are refused from now on, or heard again. */
export const switchKey = defineAction(
  {
    input: z.object({ project: id, key: id, to: z.enum(['on', 'off']) }),
    verb: 'key.switch',
  },
  async (context, { project, key, to }, viewer) => {
    const target = { projectId: ownProjectId(viewer, project), keyId: key }
    const result = await switchProjectKey(context, { ...target, isActive: to === 'on' })
    return result.ok ? { ...result, to } : result
  },
  ({ to }) => ({
    say: to === 'on' ? 'Key switched on.' : 'Key switched off. Events sent with it are rejected.',
  }),
)

/** Whoever makes a team is in it: an empty one would be the next step for everybody. */
export const submitTeam = defineAction(
  {
    input: z.object({ team: z.string().trim().min(1, 'Give it a name.').max(50) }),
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
  () => ({ say: 'The team is ready: issues can be assigned to it.' }),
)

/** `add:<user>`, `remove:<user>` or `delete`: the button that was pressed says which. */
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
      return result.ok ? { ok: true as const, say: deletedWords(result.unassigned) } : result
    }
    const [verb, userId = ''] = change.split(/:(.*)/s)
    const result = await setTeamMember(context, { ...team, userId, isIn: verb === 'add' })
    return result.ok ? { ok: true as const, say: 'Team members changed.' } : result
  },
  ({ say }) => ({ say }),
)

const deletedWords = (unassigned: number): string =>
  unassigned === 0
    ? 'Team deleted.'
    : `Team deleted. ${unassigned.toLocaleString('en-US')} ${unassigned === 1 ? 'issue is' : 'issues are'} unassigned.`
