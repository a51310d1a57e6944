import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export const s3Keys = { accessKeyId: 'AKTEST', secretAccessKey: 'a/secret+with=signs', region: 'eu-test-1' }

export type S3Server = {
  url: string
  objects: Map<string, Buffer>
  /** Answers that many of the next requests with 503, as a store does that is asked to slow down. */
  stumble(times: number): void
  stop(): Promise<void>
}

/** As much of S3 as the blobs use, with a check of every signature that was written from AWS's own description of it. */
export async function startS3(): Promise<S3Server> {
  const objects = new Map<string, Buffer>()
  let stumbles = 0
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const answer = (status: number, text: string | Buffer = '', length?: number) => {
      response.writeHead(status, { 'content-length': length ?? Buffer.byteLength(text) }).end(text)
    }
    if (stumbles > 0) {
      stumbles--
      return answer(503, '<Error><Code>SlowDown</Code></Error>')
    }
    if (!isSigned(request)) return answer(403, '<Error><Code>SignatureDoesNotMatch</Code></Error>')
    const url = new URL(request.url ?? '/', 'http://s3')
    const key = decodeURIComponent(url.pathname.slice('/bucket/'.length))
    const object = objects.get(key)
    if (request.method === 'PUT') {
      if (request.headers['content-length'] === undefined)
        return answer(411, '<Error><Code>MissingContentLength</Code></Error>')
      objects.set(key, body)
      return answer(200)
    }
    if (request.method === 'DELETE') {
      objects.delete(key)
      return answer(204)
    }
    if (url.searchParams.get('list-type') === '2') return answer(200, listing(objects, url.searchParams))
    if (object === undefined) return answer(404, '<Error><Code>NoSuchKey</Code></Error>')
    if (request.method === 'HEAD') return answer(200, '', object.length)
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')
    return range ? answer(206, object.subarray(Number(range[1]), Number(range[2]) + 1)) : answer(200, object)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const secret = encodeURIComponent(s3Keys.secretAccessKey)
  return {
    url: `s3+http://${s3Keys.accessKeyId}:${secret}@127.0.0.1:${port}/bucket?region=${s3Keys.region}`,
    objects,
    stumble: times => {
      stumbles = times
    },
    stop: () => new Promise(resolve => server.close(() => resolve())),
  }
}

/** Two keys a page at most, so that one day needs several. */
function listing(objects: Map<string, Buffer>, query: URLSearchParams): string {
  const keys = [...objects.keys()]
    .filter(key => key.startsWith(query.get('prefix') ?? '') && key > (query.get('start-after') ?? ''))
    .sort()
    .slice(0, Math.min(2, Number(query.get('max-keys') ?? 2)))
  return `<ListBucketResult>${keys.map(key => `<Contents><Key>${key}</Key></Contents>`).join('')}</ListBucketResult>`
}

function isSigned(request: IncomingMessage): boolean {
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/
  const match = pattern.exec(request.headers.authorization ?? '')
  if (match === null) return false
  const [, keyId, day = '', region = '', signedHeaders = '', signature] = match
  if (keyId !== s3Keys.accessKeyId || region !== s3Keys.region) return false
  const names = signedHeaders.split(';')
  if (!['host', 'x-amz-content-sha256', 'x-amz-date'].every(name => names.includes(name))) return false
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://s3')
  const query = [...searchParams]
    .map(pair => pair.map(encodeURIComponent).join('='))
    .sort()
    .join('&')
  const headers = names.map(name => `${name}:${String(request.headers[name]).trim()}\n`).join('')
  const canonical = [
    request.method,
    pathname,
    query,
    headers,
    signedHeaders,
    request.headers['x-amz-content-sha256'],
  ].join('\n')
  const digest = createHash('sha256').update(canonical).digest('hex')
  const scope = `${day}/${region}/s3/aws4_request`
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${s3Keys.secretAccessKey}`)
  const text = `AWS4-HMAC-SHA256\n${request.headers['x-amz-date']}\n${scope}\n${digest}`
  return hmac(key, text).toString('hex') === signature
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
