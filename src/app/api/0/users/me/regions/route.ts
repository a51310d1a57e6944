import { defineApiRoute } from '#web/api/define-api-route.ts'
import { publicOrigin } from '#web/api/public-origin.ts'

/** There is one region, and this is it. */
export const GET = defineApiRoute({ needs: null }, async ({ request }) =>
  Response.json({ regions: [{ name: 'default', url: publicOrigin(request) }] }),
)
