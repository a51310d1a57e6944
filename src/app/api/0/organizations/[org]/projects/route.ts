import { defineApiRoute } from '#api/define-api-route.ts'
import { pageResponse, readPage } from '#api/pages.ts'
import { serializeProject } from '#api/serialize-organization.ts'
import { listProjects } from '#domain/projects/list-projects.ts'

/** The projects of the organization; `?query=` searches slug and name. */
export const GET = defineApiRoute({ needs: null }, async ({ request, search, viewer }) => {
  const page = readPage(search)
  const wanted = (search.get('query') ?? '').toLowerCase()
  const projects = (await listProjects(viewer)).filter(
    ({ slug, name }) => slug.includes(wanted) || name.toLowerCase().includes(wanted),
  )
  const shown = projects.slice(page.offset, page.offset + page.limit + 1)
  return pageResponse(
    request,
    page,
    shown.map(project => serializeProject(viewer, project)),
  )
})
