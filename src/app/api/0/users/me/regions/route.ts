import { defineApiRoute } from '#api/define-api-route.ts'
import { publicOrigin } from '#api/pages.ts'

/** This server is the only region. */
export const GET = defineApiRoute({ needs: null }, async ({ request }) =>
  Response.json({ regions: [{ name: 'default', url: publicOrigin(request) }] }),
)
