import { readLiveAccess } from '#domain/projects/live-access.ts'
import { listProjectStats } from '#domain/projects/unscoped-projects.ts'
import { getRuntime } from '#runtime.ts'
import { getLiveHub } from '#web/live/live-hub.ts'
import { getTailHub } from '#web/live/tail-hub.ts'
import { followTail, type TailEvent, type TailReader } from '#web/live/tail-stream.ts'
import { findSessionId, requireViewer } from '#web/viewer.ts'
import { viewLine } from '../line-view.ts'
import { readLogFilter, readLogParams } from '../search-params.ts'

const heartbeatMs = 15_000 // proxies close an idle connection after 30 to 60 s
const lifeMs = 10 * 60_000 // the browser reconnects, so that access and `release:latest` are read again

/**
 * Log lines as they are committed, as server-sent events. The id of an event says up to which batch its reader has all lines, so that
 * one who comes back misses none and sees none twice.
 */
export async function GET(
  request: Request,
  { params: route }: { params: Promise<{ org: string }> },
): Promise<Response> {
  const viewer = await requireViewer((await route).org)
  const search = new URL(request.url).searchParams
  const params = readLogParams(Object.fromEntries(search))
  const filter = readLogFilter(viewer, params)
  const hub = getTailHub()
  if (!filter) return new Response('The search has an error.\n', { status: 400 })
  if (!hub) return new Response('Live tail is not available.\n', { status: 503 })
  const { control, clock } = getRuntime()
  const member = {
    sessionId: (await findSessionId()) ?? '',
    userId: viewer.user.id,
    organizationId: viewer.organization.id,
  }
  const slugs = new Map(viewer.projects.map(({ id, slug }) => [id, slug]))
  const since = request.headers.get('last-event-id') ?? search.get('since')
  const encoder = new TextEncoder()
  let end = () => {}
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      let isOpen = true
      let reader: TailReader | null = null
      const write = (text: string): void => {
        if (isOpen) controller.enqueue(encoder.encode(text))
      }
      const send = ({ id, lines, matched }: TailEvent): void => {
        const views = lines.map(line => viewLine(line, slugs.get(line.projectId) ?? ''))
        write(`id: ${id}\nevent: lines\ndata: ${JSON.stringify({ lines: views, matched })}\n\n`)
      }
      const heartbeat = setInterval(() => write(reader ? `id: ${reader.position()}\n\n` : ': wait\n\n'), heartbeatMs)
      const life = setTimeout(() => end(), lifeMs)
      // The hub of live updates reads once a second who still has access.
      const stopAccess = getLiveHub().listen(
        {
          member,
          projectIds: new Set(),
          send: () => {},
          hide: hidden => reader?.hide(hidden),
          end: () => end(),
        },
        { stats: at => listProjectStats(control, at), access: members => readLiveAccess(control, members) },
      )
      end = () => {
        if (!isOpen) return
        isOpen = false
        clearInterval(heartbeat)
        clearTimeout(life)
        stopAccess()
        reader?.stop()
        controller.close()
      }
      write('retry: 1000\n\n')
      request.signal.addEventListener('abort', () => end())
      followTail({ hub, viewer, filter, columns: params.columns, since, send, end: () => end(), now: clock.now })
        .then(following => {
          reader = following
          if (!isOpen) following.stop()
          else write(`id: ${following.position()}\nevent: open\ndata: {}\n\n`)
        })
        .catch(() => end())
    },
    cancel: () => end(),
  })
  return new Response(body, {
    // no-transform: compression would delay events until its buffer is full.
    headers: {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
    },
  })
}
