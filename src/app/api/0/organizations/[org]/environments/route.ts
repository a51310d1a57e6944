import { defineApiRoute } from '#api/define-api-route.ts'
import { listEnvironments } from '#domain/events/list-environments.ts'

export const GET = defineApiRoute({ needs: 'project:read' }, async ({ viewer }) =>
  Response.json((await listEnvironments(viewer)).map(name => ({ id: name, name }))),
)
