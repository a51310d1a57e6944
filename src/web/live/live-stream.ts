import type { Pulse } from '#queries/list-pulses.ts'
import { getLiveHub, type ReadPulses } from './live-hub.ts'

const heartbeatMs = 15_000 // proxies close a silent connection after 30 to 60 s
const lifeMs = 10 * 60_000 // the browser comes back by itself, and the guard looks again who it is

/** Server-sent events about some projects, until the browser leaves, its time is up or the server stops. */
export function liveStream(
  projectIds: ReadonlySet<number>,
  read: ReadPulses,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let end = () => {}
  return new ReadableStream({
    start(controller) {
      const write = (text: string) => controller.enqueue(encoder.encode(text))
      const heartbeat = setInterval(() => write(': still here\n\n'), heartbeatMs)
      const life = setTimeout(() => end(), lifeMs)
      let isOpen = true
      end = () => {
        if (!isOpen) return
        isOpen = false
        clearInterval(heartbeat)
        clearTimeout(life)
        stop()
        controller.close()
      }
      const send = (pulses: Pulse[]) => write(`data: ${JSON.stringify(pulses)}\n\n`)
      write('retry: 2000\n\n')
      const stop = getLiveHub().listen({ projectIds, send, end: () => end() }, read)
      signal.addEventListener('abort', () => end())
    },
    cancel: () => end(),
  })
}
