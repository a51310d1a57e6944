import { notFound } from 'next/navigation'
import { listSegments, locateReplay } from '#domain/replays/find-replay.ts'
import { compareDom, type DomChange } from '#domain/replays/recording/compare-dom.ts'
import { recordingFrames } from '#web/replay-recording.ts'
import { requireViewer } from '#web/viewer.ts'

type Context = { params: Promise<{ org: string; replayId: string }> }

/** A recording whose clock was corrected has other times than its replay. */
const wrongClockMs = 10 * 60_000

/** The page before and after a time (`at`, milliseconds since 1970), for the page of a hydration error. `null` if nothing changed then, or it was at another time. */
export async function GET(request: Request, { params }: Context): Promise<Response> {
  const { org, replayId } = await params
  const viewer = await requireViewer(org)
  const replay = (await locateReplay(viewer, replayId)) ?? notFound()
  const at = Number(new URL(request.url).searchParams.get('at'))
  const isWithin = at >= replay.startedAt - wrongClockMs && at <= replay.endedAt + wrongClockMs
  if (!isWithin) return answer(null)
  const frames = recordingFrames(await listSegments(viewer, replay))
  const change = await compareDom(frames, first =>
    Math.abs(first - replay.startedAt) > wrongClockMs ? first + at - replay.startedAt : at,
  )
  return answer(change)
}

const answer = (change: DomChange | null): Response =>
  Response.json(change, { headers: { 'Cache-Control': 'private, no-store' } })
