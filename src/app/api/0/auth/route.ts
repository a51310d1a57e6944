import { defineApiRoute } from '#api/define-api-route.ts'
import { serializeBearer } from '#api/serialize-organization.ts'

/** Who the token stands for. */
export const GET = defineApiRoute({ needs: null }, async ({ viewer }) => Response.json(serializeBearer(viewer)))
