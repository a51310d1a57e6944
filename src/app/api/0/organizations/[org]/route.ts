import { defineApiRoute } from '#api/define-api-route.ts'
import { serializeOrganization } from '#api/serialize-organization.ts'
import { getOrganization } from '#domain/projects/list-projects.ts'

/** The first call of the bundler plugins. */
export const GET = defineApiRoute({ needs: null }, async ({ request, viewer }) =>
  Response.json(serializeOrganization(request, await getOrganization(viewer))),
)
