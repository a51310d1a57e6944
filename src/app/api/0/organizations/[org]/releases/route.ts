import { apiError, apiNotFound } from '#api/api-error.ts'
import { defineApiRoute } from '#api/define-api-route.ts'
import { findNamedProjects } from '#api/find-named-projects.ts'
import { pageResponse, readPage } from '#api/pages.ts'
import { newReleaseInput, readReleaseChange } from '#api/release-input.ts'
import { serializeReleases } from '#api/serialize-release.ts'
import { findRelease } from '#domain/releases/list-releases.ts'
import { readReleases } from '#domain/releases/read-releases.ts'
import { saveRelease } from '#domain/releases/save-release.ts'

/** The releases of the organization, latest first; `?query=` searches their versions. */
export const GET = defineApiRoute({ needs: 'project:read' }, async ({ request, search, viewer }) => {
  const page = readPage(search)
  const releases = await readReleases(viewer, { text: (search.get('query') ?? '').slice(0, 250) })
  const shown = releases.slice(page.offset, page.offset + page.limit + 1)
  return pageResponse(request, page, await serializeReleases(viewer, shown))
})

/** 201 for a new release, 208 for an existing one: tools accept both. */
export const POST = defineApiRoute(
  { needs: { does: ['release.create', 'release.change'] }, input: newReleaseInput },
  async call => {
    const { context, viewer, input } = call
    const named = findNamedProjects(viewer, input.projects ?? [])
    if (!named.ok) return apiError(400, named.detail)
    const saved = await saveRelease(context, {
      organizationId: viewer.organization.id,
      version: input.version,
      projectIds: named.projectIds,
      ...readReleaseChange(input, viewer.now),
    })
    if (!saved.ok) return apiError(400, 'version: use one line of at most 250 characters.')
    const release = await findRelease(viewer, input.version)
    if (release === null) return apiNotFound()
    const [serialized] = await serializeReleases(viewer, [release])
    return Response.json(serialized, { status: saved.isNew ? 201 : 208 })
  },
)
