/**
 * One poller for all live views of this process. It reads `project_stats` once a second, only while somebody listens,
 * and tells each listener about its own projects at most every two seconds.
 */
import type { ProjectStats } from '#domain/projects/list-projects.ts'

type LiveListener = { projectIds: ReadonlySet<number>; send(pulses: ProjectStats[]): void; end(): void }
type ReadProjectStats = (since: number) => Promise<ProjectStats[]>

const pollMs = 1_000
const quietMs = 2_000

type Entry = { listener: LiveListener; waiting: Map<number, ProjectStats>; lastSentAt: number }

export function createLiveHub(now: () => number = Date.now) {
  const entries = new Set<Entry>()
  const known = new Map<number, ProjectStats>()
  let timer: NodeJS.Timeout | undefined
  let since = 0
  let isReading = false

  async function poll(read: ReadProjectStats): Promise<void> {
    if (isReading) return
    isReading = true
    try {
      for (const pulse of await read(since)) take(pulse)
    } catch {
      // A busy or absent database is main's matter and in its log; the next second asks again.
    } finally {
      isReading = false
    }
    for (const entry of entries) flush(entry)
  }

  function take(pulse: ProjectStats): void {
    since = Math.max(since, pulse.updatedAt)
    if (known.get(pulse.projectId)?.itemCount === pulse.itemCount) return
    known.set(pulse.projectId, pulse)
    for (const { listener, waiting } of entries)
      if (listener.projectIds.has(pulse.projectId)) waiting.set(pulse.projectId, pulse)
  }

  function flush(entry: Entry): void {
    if (entry.waiting.size === 0 || now() - entry.lastSentAt < quietMs) return
    const pulses = [...entry.waiting.values()]
    entry.waiting.clear()
    entry.lastSentAt = now()
    entry.listener.send(pulses)
  }

  return {
    /** The listener first hears where its projects stand, then what changes. Returns how to stop. */
    listen(listener: LiveListener, read: ReadProjectStats): () => void {
      const standing = [...known.values()].filter(pulse => listener.projectIds.has(pulse.projectId))
      const entry: Entry = {
        listener,
        waiting: new Map(standing.map(pulse => [pulse.projectId, pulse])),
        lastSentAt: 0,
      }
      entries.add(entry)
      timer ??= setInterval(() => void poll(read), pollMs)
      void poll(read)
      return () => {
        entries.delete(entry)
        if (entries.size > 0) return
        clearInterval(timer)
        timer = undefined
        // What happens while nobody listens is read afresh by the next listener's first poll.
        known.clear()
        since = 0
      }
    },
    /** For shutdown: every stream ends, so that the server can close. */
    close(): void {
      for (const { listener } of [...entries]) listener.end()
    },
  }
}

type LiveHub = ReturnType<typeof createLiveHub>

const key = Symbol.for('hydrant.live')
const holder = globalThis as { [key]?: LiveHub }

export function getLiveHub(): LiveHub {
  holder[key] ??= createLiveHub()
  return holder[key]
}

const heartbeatMs = 15_000 // proxies close a silent connection after 30 to 60 s
const lifeMs = 10 * 60_000 // the browser comes back by itself, and the guard looks again who it is

/** Server-sent events about some projects, until the browser leaves, its time is up or the server stops. */
export function liveStream(
  projectIds: ReadonlySet<number>,
  read: ReadProjectStats,
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
      const send = (pulses: ProjectStats[]) => write(`data: ${JSON.stringify(pulses)}\n\n`)
      write('retry: 2000\n\n')
      const stop = getLiveHub().listen({ projectIds, send, end: () => end() }, read)
      signal.addEventListener('abort', () => end())
    },
    cancel: () => end(),
  })
}
