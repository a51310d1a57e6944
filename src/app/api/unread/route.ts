import { countUnread } from '#domain/alerts/notifications.ts'
import { requireViewer } from '#web/viewer.ts'

/** How many notifications the member has not read, for the bell. */
export async function GET(request: Request): Promise<Response> {
  const viewer = await requireViewer(new URL(request.url).searchParams.get('org') ?? '')
  return Response.json({ unread: await countUnread(viewer) }, { headers: { 'Cache-Control': 'no-store' } })
}
