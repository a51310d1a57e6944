import { openAsBlob } from 'node:fs'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { ReadableStream } from 'node:stream/web'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { chunksOf } from '#lib/ascending-chunks.ts'
import { trimEndOf } from '#lib/text.ts'
import { type BlobRange, type BlobSource, type Blobs, checkBlobDay, checkBlobKey, checkBlobProject } from './blobs.ts'

const deletesAtOnce = 8

export function openS3Blobs(location: S3Location): Blobs {
  const urlOf = (key: string) => `${location.baseUrl}/${checkBlobKey(key)}`
  const send = (request: S3Request) => sendOrNull(location, request)
  const remove = async (url: string) => {
    await send({ method: 'DELETE', url })
  }
  async function removeAll(prefix: string): Promise<void> {
    for (;;) {
      const names = await listKeys(location, prefix)
      if (names.length === 0) return
      for (const chunk of chunksOf(names, deletesAtOnce))
        await Promise.all(chunk.map(name => remove(`${bucketUrl(location).url}/${name}`)))
    }
  }
  async function put(key: string, source: BlobSource): Promise<void> {
    const request = { method: 'PUT' as const, url: urlOf(key), body: await toBlob(source) }
    const response = await sendS3Request(location, request)
    if (!response.ok) throw await errorOf(request, response)
    await response.body?.cancel()
  }
  return {
    put,
    copy: async (from, to) => {
      const body = (await send({ method: 'GET', url: urlOf(from) }))?.body
      if (body === undefined || body === null) return
      await put(to, { kind: 'bytes', bytes: await buffer(Readable.fromWeb(body as ReadableStream)) })
    },
    read: async (key, range) => {
      const body = (await send({ method: 'GET', url: urlOf(key), range }))?.body
      // The types of the DOM and of Node describe the same object.
      return body ? Readable.fromWeb(body as ReadableStream) : null
    },
    size: async key => {
      const response = await send({ method: 'HEAD', url: urlOf(key) })
      return response === null ? null : Number(response.headers.get('content-length'))
    },
    remove: key => remove(urlOf(key)),
    listDays: async (kind, before) => {
      checkBlobDay(kind, before)
      return listDaysBefore(location, kind, before)
    },
    removeDay: async (kind, day) => removeAll(`${checkBlobDay(kind, day)}/`),
    removeOfProject: async (kind, day, projectId) => removeAll(`${checkBlobProject(kind, day, projectId)}/`),
  }
}

/**
 * Keys are sorted and a day is a prefix, so after each day found the listing continues behind it: one small request per day,
 * however many blobs it has.
 */
async function listDaysBefore(location: S3Location, kind: string, before: string): Promise<string[]> {
  const days: string[] = []
  for (let after = `${kind}/`; ; ) {
    const [first] = await listKeys(location, `${kind}/`, { after, limit: 1 })
    const start = bucketUrl(location).path.length + kind.length + 1
    const day = first?.slice(start, start + before.length)
    if (day === undefined || day >= before) return days
    days.push(day)
    after = `${kind}/${day}/~` // sorts after all our names
  }
}

/** Null for a 404; any other error status throws. */
async function sendOrNull(location: S3Location, request: S3Request): Promise<Response | null> {
  const response = await sendS3Request(location, request)
  if (response.ok) return response
  if (response.status !== 404) throw await errorOf(request, response)
  await response.body?.cancel()
  return null
}

/** Up to a thousand keys. No XML unescaping, since our keys have no characters that need it. */
async function listKeys(
  location: S3Location,
  prefix: string,
  page?: { after: string; limit: number },
): Promise<string[]> {
  const { url, path } = bucketUrl(location)
  const query = new URLSearchParams({ 'list-type': '2', prefix: `${path}${prefix}` })
  if (page) query.set('start-after', `${path}${page.after}`)
  if (page) query.set('max-keys', String(page.limit))
  const request: S3Request = { method: 'GET', url: `${url}?${query}` }
  const response = await sendS3Request(location, request)
  if (!response.ok) throw await errorOf(request, response)
  const keys = Array.from((await response.text()).matchAll(/<Key>([^<]+)<\/Key>/g), match => match[1] ?? '')
  return keys.filter(key => key.startsWith(`${path}${prefix}`))
}

/** The first segment of the path is the bucket; the rest is a prefix of all keys. */
function bucketUrl({ baseUrl }: S3Location): { url: string; path: string } {
  const { origin, pathname } = new URL(baseUrl)
  const [bucket = '', ...rest] = pathname.slice(1).split('/')
  return { url: `${origin}/${bucket}`, path: rest.map(part => `${part}/`).join('') }
}

async function toBlob(source: BlobSource): Promise<Blob> {
  if (source.kind === 'bytes') return new Blob([Uint8Array.from(source.bytes)])
  const file = await openAsBlob(source.path)
  if (file.size < source.end) throw new Error(`${source.path} is truncated: ${file.size} of ${source.end} bytes`)
  return file.slice(source.start, source.end)
}

type S3Request = {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  url: string
  body?: Blob | undefined
  range?: BlobRange | undefined
}

const attempts = 4
const firstPauseMs = 100
const timeoutMs = 5 * 60_000 // a blob of 100 MB on a slow line

/** All requests are idempotent, so temporary errors are retried. The body is a Blob, whose length is known. */
async function sendS3Request(location: S3Location, request: S3Request): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await trySend(location, request)
    const isTemporary = outcome instanceof Error || outcome.status >= 500 || outcome.status === 429
    if (!isTemporary) return outcome
    if (attempt === attempts) throw outcome instanceof Error ? outcome : await errorOf(request, outcome)
    if (!(outcome instanceof Error)) await outcome.body?.cancel()
    await sleep(firstPauseMs * 2 ** attempt * (0.5 + Math.random() / 2))
  }
}

/** Names only the path of the URL, not its query. */
async function errorOf({ method, url }: S3Request, response: Response): Promise<Error> {
  const code = /<Code>([^<]*)<\/Code>/.exec(await response.text())?.[1] ?? 'no error code'
  return new Error(`The blob storage responded ${response.status} (${code}) to ${method} ${new URL(url).pathname}`)
}

async function trySend(location: S3Location, { method, url, body, range }: S3Request): Promise<Response | Error> {
  const { accessKeyId, secretAccessKey, region } = location
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

type S3Location = { baseUrl: string; accessKeyId: string; secretAccessKey: string; region: string }

/**
 * `s3://KEY:SECRET@host/bucket?region=eu-central-1`, or `s3+http://…` for storage in a private network. Path-style addressing works
 * with every S3-compatible storage; a longer path is a prefix inside the bucket.
 */
export function parseS3Url(text: string): S3Location {
  const url = new URL(text)
  const scheme = url.protocol === 's3+http:' ? 'http' : 'https'
  const path = trimEndOf(url.pathname, '/')
  if (!url.username || !url.password || path.length < 2) {
    throw new Error('HYDRANT_BLOBS_URL must have the form s3://KEY:SECRET@host/bucket?region=…')
  }
  return {
    baseUrl: `${scheme}://${url.host}${path}`,
    accessKeyId: decodeURIComponent(url.username),
    secretAccessKey: decodeURIComponent(url.password),
    region: url.searchParams.get('region') ?? 'us-east-1',
  }
}
