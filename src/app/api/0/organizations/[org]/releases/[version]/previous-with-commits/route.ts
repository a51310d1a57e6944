import { defineApiRoute } from '#web/api/define-api-route.ts'

/** Asked by `set-commits --auto` to find where to begin. Nothing: it then sends as many commits as it is told to. */
export const GET = defineApiRoute({ scope: 'project:read' }, async () => Response.json({}))
