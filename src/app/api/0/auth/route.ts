import { defineApiRoute } from '#web/api/define-api-route.ts'
import { describeBearer } from '#web/api/describe-bearer.ts'

/** Who the token stands for. */
export const GET = defineApiRoute({ needs: null }, async ({ viewer }) => Response.json(describeBearer(viewer)))
