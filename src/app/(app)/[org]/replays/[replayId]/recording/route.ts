import { notFound } from 'next/navigation'
import { listSegments, locateReplay } from '#domain/replays/find-replay.ts'
import { recordingResponse } from '#web/replay-recording.ts'
import { requireViewer } from '#web/viewer.ts'

type Context = { params: Promise<{ org: string; replayId: string }> }

export async function GET(request: Request, { params }: Context): Promise<Response> {
  const { org, replayId } = await params
  const viewer = await requireViewer(org)
  const replay = (await locateReplay(viewer, replayId)) ?? notFound()
  const keepsRemote = new URL(request.url).searchParams.get('images') === '1'
  return recordingResponse(await listSegments(viewer, replay), keepsRemote)
}
