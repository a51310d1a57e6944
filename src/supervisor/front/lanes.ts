/**
 * Limits concurrent requests to web. Pages, uploads and live streams have a lane each, so that none starves the others. Within a lane
 * each address has a limit: the requests of one busy client queue behind each other, not in front of other clients.
 */
export type LaneName = 'page' | 'upload' | 'stream'

type LaneLimits = {
  /** Concurrent requests of all addresses. Web has one thread: more would only make all of them slower. */
  total: number
  perAddress: number
  /** Queued requests; above these limits the response is 503 at once. */
  waiting: number
  waitingPerAddress: number
}

const lanes: Record<LaneName, LaneLimits> = {
  page: { total: 64, perAddress: 24, waiting: 1000, waitingPerAddress: 200 },
  // sentry-cli sends up to eight chunks side by side.
  upload: { total: 24, perAddress: 12, waiting: 200, waitingPerAddress: 64 },
  // Each open tab holds one, and an office may share an address.
  stream: { total: 1000, perAddress: 250, waiting: 0, waitingPerAddress: 0 },
}

/** Frees the slot. Calling it twice is harmless. */
export type Release = () => void

type Waiter = { address: string; resume(release: Release | null): void }

type Lanes = {
  /** Null when the lane and its queue are full, or `signal` ended the wait. */
  take(lane: LaneName, address: string, signal: AbortSignal): Promise<Release | null>
}

export function createLanes(limits: Record<LaneName, LaneLimits> = lanes): Lanes {
  const open = { page: createLane(limits.page), upload: createLane(limits.upload), stream: createLane(limits.stream) }
  return { take: (name, address, signal) => open[name](address, signal) }
}

function createLane(limits: LaneLimits): (address: string, signal: AbortSignal) => Promise<Release | null> {
  const inUse = new Map<string, number>()
  const queued = new Map<string, number>()
  const waiters = new Set<Waiter>()
  let used = 0

  const hasRoom = (address: string) => used < limits.total && (inUse.get(address) ?? 0) < limits.perAddress

  function enter(address: string): Release {
    used += 1
    add(inUse, address, 1)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      used -= 1
      add(inUse, address, -1)
      admitNext()
    }
  }

  /** In order of arrival, skipping addresses that are at their limit. */
  function admitNext(): void {
    for (const waiter of waiters) {
      if (used >= limits.total) return
      if (hasRoom(waiter.address)) waiter.resume(enter(waiter.address))
    }
  }

  return (address, signal) => {
    if (signal.aborted) return Promise.resolve(null)
    if (hasRoom(address)) return Promise.resolve(enter(address))
    if (waiters.size >= limits.waiting || (queued.get(address) ?? 0) >= limits.waitingPerAddress)
      return Promise.resolve(null)
    return new Promise(resolve => {
      const leave = () => waiter.resume(null)
      const waiter: Waiter = {
        address,
        resume(release) {
          waiters.delete(waiter)
          add(queued, address, -1)
          signal.removeEventListener('abort', leave)
          resolve(release)
        },
      }
      waiters.add(waiter)
      add(queued, address, 1)
      signal.addEventListener('abort', leave, { once: true })
    })
  }
}

function add(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change
  if (count > 0) counts.set(key, count)
  else counts.delete(key)
}
