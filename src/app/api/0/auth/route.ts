import { defineApiRoute } from '#api/define-api-route.ts'
import { serializeBearer } from '#api/serialize-organization.ts'

/** The user of the token. */
export const GET = defineApiRoute({ needs: null }, async ({ viewer }) => Response.json(serializeBearer(viewer)))
