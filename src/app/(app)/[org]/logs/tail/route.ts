import type { Viewer } from '#domain/access/viewer.ts'
import { splitPositions } from '#domain/logs/tail/position-text.ts'
import { readLiveAccess } from '#domain/projects/live-access.ts'
import { listProjectStats } from '#domain/projects/unscoped-projects.ts'
import { getRuntime } from '#runtime.ts'
import { getLiveHub } from '#web/live/live-hub.ts'
import { maxSearches } from '#web/live/tail-address.ts'
import { getTailHub } from '#web/live/tail-hub.ts'
import { followTails, type TailReaders } from '#web/live/tail-readers.ts'
import type { TailSearch } from '#web/live/tail-stream.ts'
import { findSessionId, findViewer, requireViewer } from '#web/viewer.ts'
import { viewLine } from '../line-view.ts'
import { readLogFilter, readLogParams } from '../search-params.ts'

const heartbeatMs = 15_000 // proxies close an idle connection after 30 to 60 s
const lifeMs = 10 * 60_000 // the browser reconnects, so that access and `release:latest` are read again

/**
 * Log lines as they are committed, as server-sent events, for all tabs of a browser: each `search` is the address that a stream of its
 * own would have, with its `since`. Without them, the address of this request is the search. The id of an event says up to which batch
 * each search has all lines, so that a browser that comes back misses none and sees none twice.
 */
export async function GET(
  request: Request,
  { params: route }: { params: Promise<{ org: string }> },
): Promise<Response> {
  const viewer = await requireViewer((await route).org)
  const { pathname, search, searchParams } = new URL(request.url)
  const named = searchParams.getAll('search')
  if (named.length > maxSearches) return new Response(`At most ${maxSearches} searches.\n`, { status: 400 })
  const searches = await Promise.all((named.length === 0 ? [pathname + search] : named).map(readSearch))
  const hub = getTailHub()
  if (searches.every(each => each === null)) return new Response('The search has an error.\n', { status: 400 })
  if (!hub) return new Response('Live tail is not available.\n', { status: 503 })
  const { control, clock } = getRuntime()
  const sessionId = (await findSessionId()) ?? ''
  const viewers = new Map<number, Viewer>()
  for (const each of [viewer, ...searches.flatMap(one => (one ? [one.viewer] : []))])
    viewers.set(each.organization.id, each)
  const slugs = new Map([...viewers.values()].flatMap(({ projects }) => projects.map(({ id, slug }) => [id, slug])))
  const last = request.headers.get('last-event-id')
  const since = last === null ? searchParams.getAll('since') : splitPositions(last)
  const encoder = new TextEncoder()
  let end = () => {}
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      let isOpen = true
      let readers: TailReaders | null = null
      const write = (text: string): void => {
        if (isOpen) controller.enqueue(encoder.encode(text))
      }
      const heartbeat = setInterval(() => write(readers ? `id: ${readers.position()}\n\n` : ': wait\n\n'), heartbeatMs)
      const life = setTimeout(() => end(), lifeMs)
      const hidden = new Map<number, ReadonlySet<number>>()
      // The hub of live updates reads once a second who still has access.
      const stopAccess = [...viewers].map(([organizationId, { user }]) =>
        getLiveHub().listen(
          {
            member: { sessionId, userId: user.id, organizationId },
            projectIds: new Set(),
            send: () => {},
            hide: projectIds => {
              hidden.set(organizationId, projectIds)
              readers?.hide(new Set([...hidden.values()].flatMap(ids => [...ids])))
            },
            end: () => end(),
          },
          {
            stats: at => listProjectStats(control, at),
            access: members => readLiveAccess(control, members, clock.now()),
          },
        ),
      )
      end = () => {
        if (!isOpen) return
        isOpen = false
        clearInterval(heartbeat)
        clearTimeout(life)
        for (const stop of stopAccess) stop()
        readers?.stop()
        controller.close()
      }
      write('retry: 1000\n\n')
      request.signal.addEventListener('abort', () => end())
      followTails({
        hub,
        searches,
        since,
        end: () => end(),
        now: clock.now,
        send: ({ id, search: index, lines, matched }) => {
          const views = lines.map(line => viewLine(line, slugs.get(line.projectId) ?? ''))
          const data = { search: index, lines: views, matched }
          write(`id: ${id}\nevent: lines\ndata: ${JSON.stringify(data)}\n\n`)
        },
      })
        .then(following => {
          readers = following
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

/** Null for an address that has no stream, or none for this viewer: the other tabs of the browser go on. */
async function readSearch(address: string): Promise<TailSearch | null> {
  const url = URL.parse(address, 'http://hydrant')
  const organization = /^\/([\w-]+)\/logs\/tail$/.exec(url?.pathname ?? '')?.[1]
  if (!url || organization === undefined) return null
  const admission = await findViewer(organization)
  if (admission.kind !== 'viewer') return null
  const params = readLogParams(Object.fromEntries(url.searchParams))
  const filter = readLogFilter(admission.viewer, params)
  return filter && { viewer: admission.viewer, filter, columns: params.columns }
}
