import { defineApiRoute } from '#api/define-api-route.ts'
import { answerPage, readPage } from '#api/pages.ts'
import { describeProject } from '#api/serialize-organization.ts'
import { listProjects } from '#domain/projects/list-projects.ts'

/** The projects of the organisation; `?query=` looks in slug and name. */
export const GET = defineApiRoute({ needs: null }, async ({ request, search, viewer }) => {
  const page = readPage(search)
  const wanted = (search.get('query') ?? '').toLowerCase()
  const projects = (await listProjects(viewer)).filter(
    ({ slug, name }) => slug.includes(wanted) || name.toLowerCase().includes(wanted),
  )
  const shown = projects.slice(page.offset, page.offset + page.limit + 1)
  return answerPage(
    request,
    page,
    shown.map(project => describeProject(viewer, project)),
  )
})
