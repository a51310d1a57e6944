import { listLogs } from '#domain/logs/list-logs.ts'
import { requireViewer } from '#web/viewer.ts'
import { viewPage } from '../line-view.ts'
import { readLogFilter, readLogParams } from '../search-params.ts'

const linesAtOnce = 200

/** The next lines of a list that is scrolled. */
export async function GET(
  request: Request,
  { params: route }: { params: Promise<{ org: string }> },
): Promise<Response> {
  const viewer = await requireViewer((await route).org)
  const params = readLogParams(Object.fromEntries(new URL(request.url).searchParams))
  const filter = readLogFilter(viewer, params)
  if (!filter) return new Response('The search has an error.\n', { status: 400 })
  const page = await listLogs(viewer, filter, { columns: params.columns, limit: linesAtOnce })
  return Response.json(viewPage(viewer, params, page), { headers: { 'Cache-Control': 'private, no-store' } })
}
