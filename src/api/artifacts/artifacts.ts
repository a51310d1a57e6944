/** Handlers about uploads of artifact bundles. */
import { assembleUpload } from '#domain/artifacts/assemble-upload.ts'
import { isHiddenRelease } from '#domain/releases/list-releases.ts'
import type { ApiHandler } from '../api-call.ts'
import { apiError, hiddenVersion } from '../api-error.ts'
import { findNamedProjects } from '../find-named-projects.ts'
import { withInput } from '../with-input.ts'
import { assembleInput, receiveChunks, serializeUploads, uploadTarget } from './receive-chunks.ts'

export const getUploadLimits: ApiHandler = async ({ request, viewer }) =>
  Response.json(serializeUploads(request, viewer))

export const postChunks: ApiHandler = ({ context, request, viewer }) =>
  receiveChunks(context, viewer.organization.id, request)

/** Tools poll this until the state is ok or error: first it lists missing chunks, then the result. */
export const postAssembly = withInput(assembleInput, async ({ context, viewer, input }) => {
  const named = findNamedProjects(viewer, input.projects)
  if (!named.ok) return apiError(400, named.detail)
  if (input.version && (await isHiddenRelease(viewer, input.version))) return hiddenVersion()
  const assembly = await assembleUpload(context, uploadTarget(), {
    organizationId: viewer.organization.id,
    checksum: input.checksum,
    chunks: input.chunks,
    projectIds: named.projectIds,
    release: input.version ?? '',
    dist: input.dist ?? '',
  })
  return Response.json({ missingChunks: [], detail: null, ...assembly })
})
