import { defineApiRoute } from '#api/define-api-route.ts'
import { pageResponse, readPage } from '#api/pages.ts'
import { serializeTeam } from '#api/serialize-organization.ts'
import { listTeams } from '#domain/members/teams.ts'

export const GET = defineApiRoute({ needs: 'team:read' }, async ({ request, search, viewer }) => {
  const page = readPage(search)
  const teams = (await listTeams(viewer)).slice(page.offset, page.offset + page.limit + 1)
  return pageResponse(
    request,
    page,
    teams.map(team => serializeTeam(team, viewer.user.id)),
  )
})
