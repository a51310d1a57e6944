import { z } from 'zod'
import type { CommandContext } from '#domain/access/command-context.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import {
  hasDiskSpace,
  maxChunkBytes,
  type StoreChunkResult,
  storeChunk,
  type UploadTarget,
} from '#domain/artifacts/upload-chunks.ts'
import { type Part, readMultipart } from '#lib/read-multipart.ts'
import { artifactLimits } from '#protocol/artifact-manifest.ts'
import { isReleaseVersion } from '#protocol/release-version.ts'
import { getRuntime } from '#runtime.ts'
import { apiError } from '../api-error.ts'
import { publicOrigin } from '../pages.ts'
import { strictFields } from '../strict-fields.ts'

const uploadRequestLimits = { chunks: 64, bytes: 32 * 1024 * 1024 }
const overheadBytes = 1024 * 1024 // for boundaries, headers and incompressible chunks that grew by gzip

const messages: Record<Extract<StoreChunkResult, { ok: false }>['code'], string> = {
  chunk_too_large: `A chunk is larger than ${maxChunkBytes} bytes.`,
  chunk_not_gzip: 'A chunk is not valid gzip.',
  checksum_differs: 'The checksum of a chunk does not match its name. It was changed in transit: try again.',
}

export function uploadTarget(): UploadTarget {
  const { blobs, config, log } = getRuntime()
  return { blobs, dataDir: config.dataDir, diskReserveBytes: config.limits.diskReserveBytes, log }
}

/** Streams the chunks of a request to the disk. Chunks before an error are kept, so a retry only sends the rest. */
export async function receiveChunks(
  context: CommandContext,
  organizationId: number,
  request: Request,
): Promise<Response> {
  const contentType = request.headers.get('content-type') ?? ''
  if (!/^multipart\/form-data\b/i.test(contentType) || request.body === null)
    return apiError(400, 'Send chunks as multipart/form-data.')
  const target = uploadTarget()
  if (!(await hasDiskSpace(target, uploadRequestLimits.bytes)))
    return apiError(507, 'The disk is nearly full, and the rest is reserved for events. Free space, then upload again.')
  let count = 0
  try {
    for await (const part of readMultipart(bounded(request.body), contentType)) {
      const named = readName(part)
      if (named === null)
        return apiError(400, 'A chunk must be a part named file or file_gzip with its SHA-1 as file name.')
      if (++count > uploadRequestLimits.chunks)
        return apiError(400, `A request may contain at most ${uploadRequestLimits.chunks} chunks.`)
      const stored = await storeChunk(context, target, { organizationId, ...named, body: part.body })
      if (!stored.ok) return apiError(400, messages[stored.code])
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code === 'multipart_invalid' || code === 'request_too_large') return apiError(400, (error as Error).message)
    throw error
  }
  return new Response(null, { status: 200 })
}

async function* bounded(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let sizeBytes = 0
  for await (const bytes of body) {
    sizeBytes += bytes.byteLength
    if (sizeBytes > uploadRequestLimits.bytes + overheadBytes)
      throw Object.assign(new Error(`A request may have at most ${uploadRequestLimits.bytes} bytes.`), {
        code: 'request_too_large',
      })
    yield bytes
  }
}

function readName({ name, filename }: Part): { sha1: string; isGzip: boolean } | null {
  if (!/^[0-9a-f]{40}$/.test(filename) || (name !== 'file' && name !== 'file_gzip')) return null
  return { sha1: filename, isGzip: name === 'file_gzip' }
}

/** The upload limits. `accept` lists the supported formats; tools stop if theirs is missing. */
export function serializeUploads(request: Request, { organization }: Viewer) {
  return {
    url: `${publicOrigin(request)}/api/0/organizations/${organization.slug}/chunk-upload/`,
    chunkSize: maxChunkBytes,
    chunksPerRequest: uploadRequestLimits.chunks,
    maxFileSize: artifactLimits.bundleBytes,
    maxRequestSize: uploadRequestLimits.bytes,
    concurrency: 4,
    hashAlgorithm: 'sha1',
    compression: ['gzip'],
    accept: ['release_files', 'sources', 'artifact_bundles', 'artifact_bundles_v2'],
  }
}

const sha1 = z.string().regex(/^[0-9a-f]{40}$/, 'must be a SHA-1 in lowercase hex digits')
export const assembleInput = z.strictObject(
  {
    checksum: sha1,
    chunks: z.array(sha1).max(artifactLimits.bundleBytes / maxChunkBytes, 'too many chunks'),
    projects: z.array(z.union([z.string(), z.number()])).min(1, 'must contain at least one project'),
    version: z.string().refine(isReleaseVersion, 'must be a valid release version').nullish(),
    dist: z.string().max(64).nullish(),
  },
  strictFields,
)
