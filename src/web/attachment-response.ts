import { Readable } from 'node:stream'
import type { Attachment } from '#domain/events/list-attachments.ts'
import { pictureTailBytes, readPicture } from '#lib/read-picture.ts'
import { clipText } from '#lib/text.ts'
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

/** A browser takes four bytes of memory for each: 160 MB for the largest. A screen of 8K has 33 million. */
const maxPixels = 40_000_000
const maxPictureBytes = 20 * 1024 * 1024

/** A picture to be shown on a page: only if it is one by its own bytes, and none that is too large to draw. Null for anything else. */
export async function pictureResponse({ blob, sizeBytes }: Attachment): Promise<Response | null> {
  const { blobs } = getRuntime()
  if (sizeBytes > maxPictureBytes || (await blobs.size(blob)) !== sizeBytes) return null
  const stream = await blobs.read(blob)
  if (stream === null) return null
  const bytes = Buffer.concat(await stream.toArray())
  const found = readPicture({ head: bytes, tail: bytes.subarray(-pictureTailBytes), sizeBytes })
  if (found === null || found.width * found.height > maxPixels) return null
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
  return encodeURIComponent(clipText(name, 200) || 'attachment').replaceAll(
    /['()*]/g,
    found => `%${found.charCodeAt(0).toString(16)}`,
  )
}
