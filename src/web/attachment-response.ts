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
