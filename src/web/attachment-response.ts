import { Readable } from 'node:stream'
import type { Attachment } from '#domain/events/list-attachments.ts'
import { getRuntime } from '#runtime.ts'

/** Downloads an attachment. It is untrusted, so browsers must never render it, whatever its content type. */
export async function attachmentResponse({ blob, filename, sizeBytes }: Attachment): Promise<Response | null> {
  const { blobs } = getRuntime()
  // A truncated blob counts as missing, because half of a file looks like a complete one.
  if ((await blobs.size(blob)) !== sizeBytes) return null
  const bytes = await blobs.read(blob)
  if (bytes === null) return null
  return new Response(Readable.toWeb(bytes) as ReadableStream<Uint8Array>, {
    headers: {
      'Content-Type': 'application/octet-stream',
      'Content-Disposition': `attachment; filename*=UTF-8''${encodeName(filename)}`,
      'Content-Length': String(sizeBytes),
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'private, no-store',
    },
  })
}

/** What browsers decode without running anything, by its first bytes. No SVG, which is a document. */
const pictures = [
  { type: 'image/png', begins: /^89504e470d0a1a0a/ },
  { type: 'image/jpeg', begins: /^ffd8ff/ },
  { type: 'image/webp', begins: /^52494646.{8}57454250/ },
]
const maxPictureBytes = 20 * 1024 * 1024

/** A picture to be shown on a page: only if it is one by its own bytes. Null for anything else. */
export async function pictureResponse({ blob, sizeBytes }: Attachment): Promise<Response | null> {
  const { blobs } = getRuntime()
  if (sizeBytes > maxPictureBytes || (await blobs.size(blob)) !== sizeBytes) return null
  const stream = await blobs.read(blob)
  if (stream === null) return null
  const bytes = Buffer.concat(await stream.toArray())
  const found = pictures.find(({ begins }) => begins.test(bytes.subarray(0, 16).toString('hex')))
  if (found === undefined) return null
  return new Response(new Uint8Array(bytes), {
    headers: {
      'Content-Type': found.type,
      'Content-Disposition': 'inline',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cross-Origin-Resource-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'private, no-store',
    },
  })
}

/** The last segment of the name, without characters that are special in headers or file systems. */
function encodeName(filename: string): string {
  const name =
    filename
      .split(/[/\\]/)
      .at(-1)
      ?.replaceAll(/\p{Cc}|\p{Cf}/gu, '')
      .toWellFormed() ?? ''
  return encodeURIComponent(name.slice(0, 200) || 'attachment').replaceAll(
    /['()*]/g,
    found => `%${found.charCodeAt(0).toString(16)}`,
  )
}
