import { requireViewer } from '#web/viewer.ts'
import { countAllUnread } from '../../count-unread.ts'

/** What the member has not opened, for the numbers in the rail. */
export async function GET(request: Request): Promise<Response> {
  const viewer = await requireViewer(new URL(request.url).searchParams.get('org') ?? '')
  return Response.json(await countAllUnread(viewer), { headers: { 'Cache-Control': 'no-store' } })
}
