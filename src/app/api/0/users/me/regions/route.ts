import { defineApiRoute } from '#api/define-api-route.ts'
import { publicOrigin } from '#api/pages.ts'

/** There is one region, and this is it. */
export const GET = defineApiRoute({ needs: null }, async ({ request }) =>
  Response.json({ regions: [{ name: 'default', url: publicOrigin(request) }] }),
)
