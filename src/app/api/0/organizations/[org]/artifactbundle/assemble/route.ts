import { apiError } from '#api/api-error.ts'
import { defineApiRoute } from '#api/define-api-route.ts'
import { findNamedProjects } from '#api/find-named-projects.ts'
import { assembleInput, uploadTarget } from '#api/receive-chunks.ts'
import { assembleUpload } from '#domain/artifacts/assemble-upload.ts'

/** Tools poll this until the state is ok or error: first it lists missing chunks, then the result. */
export const POST = defineApiRoute(
  { needs: { does: ['release.upload'] }, input: assembleInput },
  async ({ context, viewer, input }) => {
    const named = findNamedProjects(viewer, input.projects)
    if (!named.ok) return apiError(400, named.detail)
    const assembly = await assembleUpload(context, uploadTarget(), {
      organizationId: viewer.organization.id,
      checksum: input.checksum,
      chunks: input.chunks,
      projectIds: named.projectIds,
      release: input.version ?? '',
      dist: input.dist ?? '',
    })
    return Response.json({ missingChunks: [], detail: null, ...assembly })
  },
)
