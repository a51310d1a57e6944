import { setTimeout as sleep } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import type { BlobRange } from './blobs.ts'
import type { S3Place } from './parse-s3-url.ts'

export type S3Request = {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  url: string
  body?: Blob | undefined
  range?: BlobRange | undefined
}

const attempts = 4
const firstPauseMs = 100
const timeoutMs = 5 * 60_000 // a blob of 100 MB on a slow line

/** Every request we make may be repeated, so a store that stumbles is asked again. The body is a Blob, whose length is known. */
export async function sendS3Request(place: S3Place, request: S3Request): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await trySend(place, request)
    const isPassing = outcome instanceof Error || outcome.status >= 500 || outcome.status === 429
    if (!isPassing) return outcome
    if (attempt === attempts) throw outcome instanceof Error ? outcome : await refusal(request, outcome)
    if (!(outcome instanceof Error)) await outcome.body?.cancel()
    await sleep(firstPauseMs * 2 ** attempt * (0.5 + Math.random() / 2))
  }
}

/** What the store said, without the keys that the address would show. */
export async function refusal({ method, url }: S3Request, response: Response): Promise<Error> {
  const code = /<Code>([^<]*)<\/Code>/.exec(await response.text())?.[1] ?? 'no reason given'
  return new Error(`The blob store answered ${response.status} (${code}) to ${method} ${new URL(url).pathname}`)
}

async function trySend(place: S3Place, { method, url, body, range }: S3Request): Promise<Response | Error> {
  const { accessKeyId, secretAccessKey, region } = place
  const given = range && { range: `bytes=${range.start}-${range.end - 1}` }
  const signer = new AwsV4Signer({
    method,
    url,
    ...(given && { headers: given }),
    accessKeyId,
    secretAccessKey,
    region,
    service: 's3',
  })
  const { headers } = await signer.sign()
  try {
    return await fetch(url, { method, headers, body: body ?? null, signal: AbortSignal.timeout(timeoutMs) })
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}
