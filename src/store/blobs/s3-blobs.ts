import { openAsBlob } from 'node:fs'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { trimEndOf } from '#lib/text.ts'
import { type BlobRange, type BlobSource, type Blobs, checkBlobDay, checkBlobKey } from './blobs.ts'

const deletesAtOnce = 8

export function openS3Blobs(place: S3Location): Blobs {
  const urlOf = (key: string) => `${place.baseUrl}/${checkBlobKey(key)}`
  const send = (request: S3Request) => sendOrNull(place, request)
  const remove = async (url: string) => {
    await send({ method: 'DELETE', url })
  }
  return {
    put: async (key, source) => {
      const request = { method: 'PUT' as const, url: urlOf(key), body: await toBlob(source) }
      const response = await sendS3Request(place, request)
      if (!response.ok) throw await refusal(request, response)
      await response.body?.cancel()
    },
    read: async (key, range) => {
      const body = (await send({ method: 'GET', url: urlOf(key), range }))?.body
      // The DOM's type and Node's describe the same object.
      return body ? Readable.fromWeb(body as ReadableStream) : null
    },
    size: async key => {
      const response = await send({ method: 'HEAD', url: urlOf(key) })
      return response === null ? null : Number(response.headers.get('content-length'))
    },
    remove: key => remove(urlOf(key)),
    listDays: async (kind, before) => {
      checkBlobDay(kind, before)
      return listDaysBefore(place, kind, before)
    },
    removeDay: async (kind, day) => {
      const prefix = `${checkBlobDay(kind, day)}/`
      for (;;) {
        const names = await listKeys(place, prefix)
        if (names.length === 0) return
        for (let at = 0; at < names.length; at += deletesAtOnce) {
          await Promise.all(names.slice(at, at + deletesAtOnce).map(name => remove(`${bucketUrl(place).url}/${name}`)))
        }
      }
    },
  }
}

/**
 * Keys are listed in their order, and a day is a prefix: after each day found, the list goes on behind it. One small request a
 * day, however many blobs it holds.
 */
async function listDaysBefore(place: S3Location, kind: string, before: string): Promise<string[]> {
  const days: string[] = []
  for (let after = `${kind}/`; ; ) {
    const [first] = await listKeys(place, `${kind}/`, { after, most: 1 })
    const start = bucketUrl(place).path.length + kind.length + 1
    const day = first?.slice(start, start + before.length)
    if (day === undefined || day >= before) return days
    days.push(day)
    after = `${kind}/${day}/~` // sorts behind every name we give
  }
}

/** A 404 is an answer; any other refusal is a fault. */
async function sendOrNull(place: S3Location, request: S3Request): Promise<Response | null> {
  const response = await sendS3Request(place, request)
  if (response.ok) return response
  if (response.status !== 404) throw await refusal(request, response)
  await response.body?.cancel()
  return null
}

/** The next thousand keys, as the bucket names them. Ours need no unescaping: their alphabet has nothing that XML changes. */
async function listKeys(place: S3Location, prefix: string, page?: { after: string; most: number }): Promise<string[]> {
  const { url, path } = bucketUrl(place)
  const query = new URLSearchParams({ 'list-type': '2', prefix: `${path}${prefix}` })
  if (page) query.set('start-after', `${path}${page.after}`)
  if (page) query.set('max-keys', String(page.most))
  const request: S3Request = { method: 'GET', url: `${url}?${query}` }
  const response = await sendS3Request(place, request)
  if (!response.ok) throw await refusal(request, response)
  const keys = Array.from((await response.text()).matchAll(/<Key>([^<]+)<\/Key>/g), match => match[1] ?? '')
  return keys.filter(key => key.startsWith(`${path}${prefix}`))
}

/** The bucket is the first segment of the path; what follows is a prefix of all our keys. */
function bucketUrl({ baseUrl }: S3Location): { url: string; path: string } {
  const { origin, pathname } = new URL(baseUrl)
  const [bucket = '', ...rest] = pathname.slice(1).split('/')
  return { url: `${origin}/${bucket}`, path: rest.map(part => `${part}/`).join('') }
}

async function toBlob(source: BlobSource): Promise<Blob> {
  if (source.kind === 'bytes') return new Blob([Uint8Array.from(source.bytes)])
  const file = await openAsBlob(source.path)
  if (file.size < source.end) throw new Error(`${source.path} ended early: ${file.size} of ${source.end} bytes`)
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

/** Every request we make may be repeated, so a store that stumbles is asked again. The body is a Blob, whose length is known. */
async function sendS3Request(place: S3Location, request: S3Request): Promise<Response> {
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
async function refusal({ method, url }: S3Request, response: Response): Promise<Error> {
  const code = /<Code>([^<]*)<\/Code>/.exec(await response.text())?.[1] ?? 'no reason given'
  return new Error(`The blob store answered ${response.status} (${code}) to ${method} ${new URL(url).pathname}`)
}

async function trySend(place: S3Location, { method, url, body, range }: S3Request): Promise<Response | Error> {
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

type S3Location = { baseUrl: string; accessKeyId: string; secretAccessKey: string; region: string }

/**
 * `s3://KEY:SECRET@host/bucket?region=eu-central-1`, and `s3+http://…` for a store on one's own network. The bucket is
 * part of the path, which every S3-compatible store understands; a longer path is a prefix inside the bucket.
 */
export function parseS3Url(text: string): S3Location {
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
