import { join } from 'node:path'
import type { Blobs } from './blobs.ts'
import { openFolderBlobs } from './folder-blobs.ts'
import { openS3Blobs, parseS3Url } from './s3-blobs.ts'

export type { Blobs } from './blobs.ts'

export type BlobsLocation = { dataDir: string; blobsUrl?: string | undefined }

/** S3-compatible storage if HYDRANT_BLOBS_URL is set, otherwise `blobs/` in the data folder. */
export function openBlobs({ dataDir, blobsUrl }: BlobsLocation): Blobs {
  return blobsUrl === undefined ? openFolderBlobs(join(dataDir, 'blobs')) : openS3Blobs(parseS3Url(blobsUrl))
}
