import { defineApiRoute } from '#api/define-api-route.ts'
import { serializeBearer } from '#api/serialize-organization.ts'

/** What `sentry-cli info` asks: who am I, and what may I do. */
export const GET = defineApiRoute({ needs: null }, async ({ viewer, token }) =>
  Response.json({
    version: '0',
    auth: { scopes: token.scopes },
    user: token.createdBy === null ? null : serializeBearer(viewer),
  }),
)
