import { defineApiRoute } from '#api/define-api-route.ts'
import { serializeBearer } from '#api/serialize-organization.ts'

/** User and scopes of the token, for `sentry-cli info`. */
export const GET = defineApiRoute({ needs: null }, async ({ viewer, token }) =>
  Response.json({
    version: '0',
    auth: { scopes: token.scopes },
    user: token.createdBy === null ? null : serializeBearer(viewer),
  }),
)
