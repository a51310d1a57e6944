import type { LiveAccess, LiveMember } from '#domain/projects/live-access.ts'
import type { ProjectStats } from '#domain/projects/unscoped-projects.ts'

type LiveListener = {
  member: LiveMember
  projectIds: ReadonlySet<number>
  send(stats: ProjectStats[]): void
  /** Before each send: the projects that are hidden from the member now. */
  hide?(projectIds: ReadonlySet<number>): void
  end(): void
}
export type LiveReads = {
  stats(since: number): Promise<ProjectStats[]>
  /** Who still has access: members who were removed or signed out must not hear more. */
  access(members: readonly LiveMember[]): Promise<LiveAccess>
}

const pollMs = 1_000
const minIntervalMs = 2_000

type Entry = { listener: LiveListener; pending: Map<number, ProjectStats>; lastSentAt: number }

/**
 * One poller for all live views of this process. It reads `project_stats` once a second while there are listeners, and sends each
 * listener the changes of its own projects at most every two seconds. Before it sends anything it reads who still has access, so that
 * the stream of a removed member ends within a second, whichever node removed them.
 */
export function createLiveHub(now: () => number = Date.now) {
  const entries = new Set<Entry>()
  const known = new Map<number, ProjectStats>()
  let timer: NodeJS.Timeout | undefined
  let since = 0
  let isReading = false

  async function poll(read: LiveReads): Promise<void> {
    if (isReading) return
    isReading = true
    try {
      for (const stats of await read.stats(since)) update(stats)
      const access = await read.access([...entries].map(({ listener }) => listener.member))
      for (const entry of [...entries]) flush(entry, access)
    } catch {
      // Main logs database failures. The next poll tries again.
    } finally {
      isReading = false
    }
  }

  function update(stats: ProjectStats): void {
    since = Math.max(since, stats.updatedAt)
    if (known.get(stats.projectId)?.itemCount === stats.itemCount) return
    known.set(stats.projectId, stats)
    for (const { listener, pending } of entries)
      if (listener.projectIds.has(stats.projectId)) pending.set(stats.projectId, stats)
  }

  function flush(entry: Entry, access: LiveAccess): void {
    const allowed = access(entry.listener.member)
    if (allowed === null) {
      entry.listener.end()
      return
    }
    const { hidden } = allowed
    for (const projectId of hidden) entry.pending.delete(projectId)
    entry.listener.hide?.(hidden)
    if (entry.pending.size === 0 || now() - entry.lastSentAt < minIntervalMs) return
    const stats = [...entry.pending.values()]
    entry.pending.clear()
    entry.lastSentAt = now()
    entry.listener.send(stats)
  }

  return {
    /** The listener first receives the current stats, then changes. Gives a function that stops it. */
    listen(listener: LiveListener, read: LiveReads): () => void {
      const current = [...known.values()].filter(({ projectId }) => listener.projectIds.has(projectId))
      const entry: Entry = {
        listener,
        pending: new Map(current.map(stats => [stats.projectId, stats])),
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
        // The next listener's first poll reads everything again.
        known.clear()
        since = 0
      }
    },
    /** Ends every stream, so that the server can close. */
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

const heartbeatMs = 15_000 // proxies close an idle connection after 30 to 60 s
const lifeMs = 10 * 60_000 // the browser reconnects, so that access is checked again

/** Server-sent events about some projects, until the browser disconnects, access or the stream expires, or the server stops. */
export function liveStream(
  { member, projectIds }: Pick<LiveListener, 'member' | 'projectIds'>,
  read: LiveReads,
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
      const send = (stats: ProjectStats[]) => write(`data: ${JSON.stringify(stats)}\n\n`)
      write('retry: 2000\n\n')
      const stop = getLiveHub().listen({ member, projectIds, send, end: () => end() }, read)
      signal.addEventListener('abort', () => end())
    },
    cancel: () => end(),
  })
}
