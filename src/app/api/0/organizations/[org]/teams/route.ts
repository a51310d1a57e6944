import { defineApiRoute } from '#api/define-api-route.ts'
import { answerPage, readPage } from '#api/pages.ts'
import { describeTeam } from '#api/serialize-organization.ts'
import { listTeams } from '#domain/members/teams.ts'

export const GET = defineApiRoute({ needs: 'team:read' }, async ({ request, search, viewer }) => {
  const page = readPage(search)
  const teams = (await listTeams(viewer)).slice(page.offset, page.offset + page.limit + 1)
  return answerPage(
    request,
    page,
    teams.map(team => describeTeam(team, viewer.user.id)),
  )
})
