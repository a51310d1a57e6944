import { deflateSync } from 'node:zlib'
import { expect } from 'vitest'

type Recording = { replayId: string; startedAt: number; endedAt: number; urls: string[]; events: object[] }

/** A replay of one segment, as an SDK sends it. Times are milliseconds. */
export async function postRecording(dsn: string, { replayId, startedAt, endedAt, urls, events }: Recording) {
  const recording = Buffer.concat([Buffer.from('{"segment_id":0}\n'), deflateSync(JSON.stringify(events))])
  const about = {
    type: 'replay_event',
    replay_id: replayId,
    segment_id: 0,
    replay_start_timestamp: startedAt / 1_000,
    timestamp: endedAt / 1_000,
    urls,
  }
  const { origin, username, pathname } = new URL(dsn)
  const envelope = Buffer.concat([
    Buffer.from(
      `${JSON.stringify({ event_id: replayId })}\n{"type":"replay_event"}\n${JSON.stringify(about)}\n{"type":"replay_recording","length":${recording.length}}\n`,
    ),
    recording,
    Buffer.from('\n'),
  ])
  const response = await fetch(`${origin}/api${pathname}/envelope/?sentry_key=${username}`, {
    method: 'POST',
    body: envelope,
  })
  expect(response.status).toBe(200)
}
