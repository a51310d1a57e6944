'use server'
import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { requestErasure } from '#domain/privacy/erasures.ts'
import { addScrubRule, endScrubRule, switchAddresses } from '#domain/privacy/scrub-rules.ts'
import { defineAction } from '#web/define-action.ts'
import { formId } from '#web/form-number.ts'
import { ownProjectId } from '../own-project-id.ts'

/** Empty for all projects. */
const project = z.union([z.literal('').transform(() => null), formId])
const verb = {
  among: ['scrub-rule.project', 'scrub-rule.organization'] as const,
  chosen: (input: { project: number | null }) =>
    input.project === null ? ('scrub-rule.organization' as const) : ('scrub-rule.project' as const),
}

const targetOf = (viewer: Viewer, projectId: number | null) => ({
  organizationId: viewer.organization.id,
  projectId: projectId === null ? null : ownProjectId(viewer, projectId),
})

const rule = {
  path: z.string().trim().max(200, 'Use at most 200 characters.'),
  pattern: z.string().max(300, 'Use at most 300 characters.'),
  action: z.enum(['replace', 'hash', 'remove']),
}

export const saveScrubRule = defineAction(
  { input: z.object({ project, ...rule }), verb },
  (context, input, viewer) => addScrubRule(context, targetOf(viewer, input.project), input),
  (_, viewer) => ({ go: `/${viewer.organization.slug}/settings/privacy?added=1` }),
)

export const removeScrubRule = defineAction(
  { input: z.object({ project, rule: formId }), verb },
  (context, input, viewer) => endScrubRule(context, targetOf(viewer, input.project), input.rule),
  () => ({ say: 'Rule removed. What was scrubbed stays scrubbed.' }),
)

export const saveAddressStorage = defineAction(
  { input: z.object({ project, to: z.enum(['store', 'drop']) }), verb },
  (context, input, viewer) => switchAddresses(context, targetOf(viewer, input.project), input.to === 'store'),
  () => ({ say: 'Saved. It applies to what arrives from now on.' }),
)

const identifier = z.string().max(1_024, 'Use at most 1,024 characters.').default('')

export const eraseUserData = defineAction(
  {
    input: z.object({ id: identifier, email: identifier, username: identifier, ip: identifier }),
    verb: 'user-data.delete',
    faultField: 'id',
  },
  (context, user, viewer) => requestErasure(context, { organizationId: viewer.organization.id, user }),
  () => ({ say: 'The deletion has begun. Its receipt is in the list.' }),
)
