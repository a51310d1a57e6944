import { listTeams } from '#queries/list-teams.ts'
import { defineApiRoute } from '#web/api/define-api-route.ts'
import { describeTeam } from '#web/api/describe-team.ts'
import { answerPage, readPage } from '#web/api/pages.ts'

export const GET = defineApiRoute({ needs: 'team:read' }, async ({ request, search, viewer }) => {
  const page = readPage(search)
  const teams = (await listTeams(viewer)).slice(page.offset, page.offset + page.limit + 1)
  return answerPage(
    request,
    page,
    teams.map(team => describeTeam(team, viewer.user.id)),
  )
})
