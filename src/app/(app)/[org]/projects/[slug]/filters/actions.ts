'use server'
import { notFound } from 'next/navigation'
import { z } from 'zod'
import { listFilters, setFilter } from '#domain/filters/filters.ts'
import { defineAction } from '#web/define-action.ts'
import { formId } from '#web/form-number.ts'
import { ownProjectId } from '../../../settings/own-project-id.ts'
import { modeOf, readFilterChoice } from './filter-choice.ts'

const input = z.object({
  project: formId,
  slug: z.string().max(100),
  rule: z.string().max(60),
  to: z.string().transform((text, context) => {
    const choice = readFilterChoice(text)
    if (choice === null) context.addIssue('Choose one of the four options.')
    return choice ?? 'off'
  }),
})

export const saveFilter = defineAction(
  { input, verb: 'project.filter' },
  async (context, { project, slug, rule, to }, viewer) => {
    const projectId = ownProjectId(viewer, project)
    if (!(await listFilters(viewer, projectId)).some(filter => filter.rule === rule)) notFound()
    const result = await setFilter(context, {
      organizationId: viewer.organization.id,
      projectId,
      rule,
      ...modeOf(to),
    })
    return result.ok ? { ...result, slug } : result
  },
  ({ slug }, viewer) => ({ go: `/${viewer.organization.slug}/projects/${encodeURIComponent(slug)}/filters` }),
)
