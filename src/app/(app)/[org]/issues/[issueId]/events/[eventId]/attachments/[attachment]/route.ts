import { Readable } from 'node:stream'
import { notFound } from 'next/navigation'
import { listAttachments } from '#queries/list-attachments.ts'
import { getRuntime } from '#runtime.ts'
import { requireViewer } from '#web/viewer.ts'
import { findAddressedIssue } from '../../../../find-addressed-issue.ts'

type Context = { params: Promise<{ org: string; issueId: string; eventId: string; attachment: string }> }

/** A file that came with an event, as it was sent. Strangers sent it: it is saved, never drawn, whatever it says it is. */
export async function GET(_request: Request, { params }: Context): Promise<Response> {
  const { org, issueId, eventId, attachment } = await params
  const viewer = await requireViewer(org)
  const issue = (await findAddressedIssue(viewer, issueId)) ?? notFound()
  if (!/^[0-9a-f]{32}$/.test(eventId)) notFound()
  const found = (await listAttachments(viewer, issue, eventId)).find(({ name }) => name === attachment) ?? notFound()
  const bytes = (await getRuntime().blobs.read(found.blob)) ?? notFound()
  return new Response(Readable.toWeb(bytes) as ReadableStream<Uint8Array>, {
    headers: {
      'Content-Type': 'application/octet-stream',
      'Content-Disposition': `attachment; filename*=UTF-8''${encodeName(found.filename)}`,
      'Content-Length': String(found.sizeBytes),
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
