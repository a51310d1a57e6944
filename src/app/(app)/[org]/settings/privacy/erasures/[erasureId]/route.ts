import { forbidden, notFound } from 'next/navigation'
import { mayDo } from '#domain/access/permissions.ts'
import { findErasure } from '#domain/privacy/erasures.ts'
import { requireViewer } from '#web/viewer.ts'

type Context = { params: Promise<{ org: string; erasureId: string }> }

/** Downloads the receipt of a deletion. */
export async function GET(_request: Request, { params }: Context): Promise<Response> {
  const { org, erasureId } = await params
  const viewer = await requireViewer(org)
  const receipt = (await findErasure(viewer, erasureId)) ?? notFound()
  if (!mayDo(viewer.role, 'user-data.delete')) forbidden()
  const { slug } = viewer.organization
  const time = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())
  const body = {
    ...receipt,
    organization: slug,
    requestedAt: time(receipt.requestedAt),
    coversUntil: time(receipt.coversUntil),
    finishedAt: time(receipt.finishedAt),
  }
  return new Response(`${JSON.stringify(body, null, 2)}\n`, {
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Disposition': `attachment; filename="receipt-${receipt.id}.json"`,
      'Cache-Control': 'private, no-store',
    },
  })
}
