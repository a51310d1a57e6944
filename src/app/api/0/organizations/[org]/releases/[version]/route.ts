import { apiError, apiNotFound } from '#api/api-error.ts'
import { defineApiRoute } from '#api/define-api-route.ts'
import { findNamedProjects } from '#api/find-named-projects.ts'
import { readReleaseChange, releaseChangeInput } from '#api/release-input.ts'
import { serializeReleases } from '#api/serialize-release.ts'
import { findRelease } from '#domain/releases/list-releases.ts'
import { deleteRelease, saveRelease } from '#domain/releases/save-release.ts'

export const GET = defineApiRoute({ needs: 'project:read' }, async ({ viewer, params }) => {
  const release = await findRelease(viewer, params.version ?? '')
  if (release === null) return apiNotFound()
  const [serialized] = await serializeReleases(viewer, [release])
  return Response.json(serialized)
})

/** Finalizes a release or sets its commits. Creates a missing one if the body names its projects. */
export const PUT = defineApiRoute(
  { needs: { does: ['release.create', 'release.change'] }, input: releaseChangeInput },
  async call => {
    const { context, viewer, params, input } = call
    const version = params.version ?? ''
    const named = findNamedProjects(viewer, input.projects ?? [])
    if (!named.ok) return apiError(400, named.detail)
    const before = await findRelease(viewer, version)
    if (before === null && named.projectIds.length === 0) return apiNotFound()
    const saved = await saveRelease(context, {
      organizationId: viewer.organization.id,
      version,
      projectIds: [...new Set([...named.projectIds, ...(before?.projectIds ?? [])])],
      ...readReleaseChange(input, viewer.now),
    })
    const release = saved.ok ? await findRelease(viewer, version) : null
    if (release === null) return apiNotFound()
    const [serialized] = await serializeReleases(viewer, [release])
    return Response.json(serialized)
  },
)

export const DELETE = defineApiRoute({ needs: { does: ['release.delete'] } }, async ({ context, viewer, params }) => {
  const deleted = await deleteRelease(context, {
    organizationId: viewer.organization.id,
    version: params.version ?? '',
  })
  if (deleted.ok) return new Response(null, { status: 204 })
  if (deleted.code === 'release_in_use') return apiError(400, "This release has events, so it can't be deleted.")
  return apiNotFound()
})
