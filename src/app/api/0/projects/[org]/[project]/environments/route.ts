import { listEnvironments } from '#queries/list-environments.ts'
import { defineProjectRoute } from '#web/api/define-api-route.ts'

export const GET = defineProjectRoute({ needs: 'project:read' }, async ({ viewer, project }) => {
  const names = await listEnvironments({ ...viewer, projects: [project] })
  return Response.json(names.map(name => ({ id: name, name, isHidden: false })))
})
