import { readLiveAccess } from '#domain/projects/live-access.ts'
import { listProjectStats } from '#domain/projects/unscoped-projects.ts'
import { getRuntime } from '#runtime.ts'
import { liveStream } from '#web/live/live-hub.ts'
import { findSessionId, requireViewer } from '#web/viewer.ts'

/** Changes of project stats in one organization, as server-sent events. */
export async function GET(request: Request): Promise<Response> {
  const viewer = await requireViewer(new URL(request.url).searchParams.get('org') ?? '')
  const { control, clock } = getRuntime()
  const projectIds = new Set(viewer.projects.map(project => project.id))
  const sessionId = (await findSessionId()) ?? ''
  const member = { sessionId, userId: viewer.user.id, organizationId: viewer.organization.id }
  const read = {
    stats: (since: number) => listProjectStats(control, since),
    access: (members: Parameters<typeof readLiveAccess>[1]) => readLiveAccess(control, members, clock.now()),
  }
  return new Response(liveStream({ member, projectIds }, read, request.signal), {
    // no-transform: compression would delay events until its buffer is full.
    headers: {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
    },
  })
}
