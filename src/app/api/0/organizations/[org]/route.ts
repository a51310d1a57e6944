import { getOrganization } from '#queries/get-organization.ts'
import { defineApiRoute } from '#web/api/define-api-route.ts'
import { describeOrganization } from '#web/api/describe-organization.ts'

/** The first call of the bundler plugins: where uploads go. */
export const GET = defineApiRoute({ needs: null }, async ({ request, viewer }) =>
  Response.json(describeOrganization(request, await getOrganization(viewer))),
)
