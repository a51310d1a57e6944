import { Readable } from 'node:stream'
import type { Attachment } from '#domain/events/list-attachments.ts'
import { getRuntime } from '#runtime.ts'

/** A file that came with an event, as it was sent. Strangers sent it: it is saved, never drawn, whatever it says it is. */
export async function attachmentResponse({ blob, filename, sizeBytes }: Attachment): Promise<Response | null> {
  const { blobs } = getRuntime()
  // One that was cut on disk is as good as gone: half of a file looks like a whole one.
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

/** The last part of the name, without what a file system or a header could take for more than a name. */
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
