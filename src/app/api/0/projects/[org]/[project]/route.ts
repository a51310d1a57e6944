import { findProject } from '#queries/find-project.ts'
import { apiNotFound } from '#web/api/api-error.ts'
import { defineProjectRoute } from '#web/api/define-api-route.ts'
import { describeProject } from '#web/api/describe-project.ts'

export const GET = defineProjectRoute({ needs: null }, async ({ viewer, project }) => {
  const summary = await findProject(viewer, project.slug)
  return summary ? Response.json(describeProject(viewer, summary)) : apiNotFound()
})
