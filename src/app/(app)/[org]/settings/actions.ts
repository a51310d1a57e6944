'use server'
import { z } from 'zod'
import { createProjectKey } from '#commands/create-project-key.ts'
import { switchProjectKey } from '#commands/switch-project-key.ts'
import { defineAction } from '#web/define-action.ts'
import { ownProjectId } from './own-project-id.ts'

const id = z.coerce.number().int().positive()

export const submitKey = defineAction(
  {
    input: z.object({ project: id, label: z.string().trim().max(60, 'Use at most 60 characters.') }),
    may: 'key:write',
  },
  (context, { project, label }, viewer) =>
    createProjectKey(context, { projectId: ownProjectId(viewer, project), label }),
  () => ({ say: 'The key is ready.' }),
)

/** Apps that use the key are refused from now on, or heard again. */
export const switchKey = defineAction(
  {
    input: z.object({ project: id, key: id, to: z.enum(['on', 'off']) }),
    may: 'key:write',
  },
  (context, { project, key, to }, viewer) => {
    const target = { projectId: ownProjectId(viewer, project), keyId: key }
    return switchProjectKey(context, { ...target, isActive: to === 'on' })
  },
  () => ({ say: 'Done. It takes effect within a second.' }),
)
