import { z } from 'zod'
import { maxChunkBytes } from '#commands/uploads/keep-chunk.ts'
import { artifactLimits } from '#protocol/artifact-limits.ts'
import { isReleaseVersion } from '#protocol/release-version.ts'

const sha1 = z.string().regex(/^[0-9a-f]{40}$/, 'must be a SHA-1 in small hex digits')
export const assembleInput = z.object({
  checksum: sha1,
  chunks: z.array(sha1).max(artifactLimits.bundleBytes / maxChunkBytes, 'are more than an upload may have'),
  projects: z.array(z.union([z.string(), z.number()])).min(1, 'name at least one'),
  version: z.string().refine(isReleaseVersion, 'is no name for a release').nullish(),
  dist: z.string().max(64).nullish(),
})
