import { trimEndOf } from '#lib/trim-end-of.ts'
export type S3Place = { baseUrl: string; accessKeyId: string; secretAccessKey: string; region: string }

/**
 * `s3://KEY:SECRET@host/bucket?region=eu-central-1`, and `s3+http://…` for a store on one's own network. The bucket is
 * part of the path, which every S3-compatible store understands; a longer path is a prefix inside the bucket.
 */
export function parseS3Url(text: string): S3Place {
  const url = new URL(text)
  const scheme = url.protocol === 's3+http:' ? 'http' : 'https'
  const path = trimEndOf(url.pathname, '/')
  if (!url.username || !url.password || path.length < 2) {
    throw new Error('HYDRANT_BLOBS_URL needs the form s3://KEY:SECRET@host/bucket?region=…')
  }
  return {
    baseUrl: `${scheme}://${url.host}${path}`,
    accessKeyId: decodeURIComponent(url.username),
    secretAccessKey: decodeURIComponent(url.password),
    region: url.searchParams.get('region') ?? 'us-east-1',
  }
}
