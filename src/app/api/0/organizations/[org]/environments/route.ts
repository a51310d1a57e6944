import { listEnvironments } from '#queries/list-environments.ts'
import { defineApiRoute } from '#web/api/define-api-route.ts'

export const GET = defineApiRoute({ needs: 'project:read' }, async ({ viewer }) =>
  Response.json((await listEnvironments(viewer)).map(name => ({ id: name, name }))),
)
