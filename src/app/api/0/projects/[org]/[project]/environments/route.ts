import { defineProjectRoute } from '#api/define-api-route.ts'
import { listEnvironments } from '#domain/events/list-environments.ts'

export const GET = defineProjectRoute({ needs: 'project:read' }, async ({ viewer, project }) => {
  const names = await listEnvironments({ ...viewer, projects: [project] })
  return Response.json(names.map(name => ({ id: name, name, isHidden: false })))
})
