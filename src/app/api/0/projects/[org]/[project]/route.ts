import { apiNotFound } from '#api/api-error.ts'
import { defineProjectRoute } from '#api/define-api-route.ts'
import { serializeProject } from '#api/serialize-organization.ts'
import { findProject } from '#domain/projects/list-projects.ts'

export const GET = defineProjectRoute({ needs: null }, async ({ viewer, project }) => {
  const summary = await findProject(viewer, project.slug)
  return summary ? Response.json(serializeProject(viewer, summary)) : apiNotFound()
})
