import { maxChunkBytes } from '#commands/uploads/keep-chunk.ts'
import { artifactLimits } from '#protocol/artifact-limits.ts'
import type { Viewer } from '#queries/viewer.ts'
import { publicOrigin } from './public-origin.ts'
import { uploadRequestLimits } from './receive-chunks.ts'

/** What an upload is to be cut into. `accept` says what the server can be sent; tools give up where theirs is missing. */
export function describeUploads(request: Request, { organization }: Viewer) {
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
