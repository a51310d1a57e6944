import { findLog } from '#domain/logs/find-log.ts'
import { readLineAddress } from '#domain/logs/log-line.ts'
import { requireViewer } from '#web/viewer.ts'
import { viewDetails } from '../../line-details.ts'

type Context = { params: Promise<{ org: string; line: string }> }

/** Everything about one line, for a row that is opened. */
export async function GET(_request: Request, { params }: Context): Promise<Response> {
  const { org, line } = await params
  const viewer = await requireViewer(org)
  const address = readLineAddress(line)
  const found = address && (await findLog(viewer, address))
  if (!found) return new Response('This line was not found.\n', { status: 404 })
  return Response.json(await viewDetails(viewer, found), { headers: { 'Cache-Control': 'private, no-store' } })
}
