/**
 * How much of web may be in use at once. Pages, uploads and live streams have lanes of their own, so that none can starve another,
 * and in each lane an address has a share: what one visitor piles up waits behind that visitor, not in front of the others.
 */

export type LaneName = 'page' | 'upload' | 'stream'

type LaneLimits = {
  /** In use at once, all addresses together. Web has one thread: more only makes all of them slower. */
  together: number
  perAddress: number
  /** Queued, all together and per address; beyond this the answer is 503 at once. */
  waiting: number
  waitingPerAddress: number
}

const lanes: Record<LaneName, LaneLimits> = {
  page: { together: 64, perAddress: 24, waiting: 1000, waitingPerAddress: 200 },
  // sentry-cli sends up to eight chunks side by side.
  upload: { together: 24, perAddress: 12, waiting: 200, waitingPerAddress: 64 },
  // A tab holds one for as long as it is open, and an office may share an address.
  stream: { together: 1000, perAddress: 250, waiting: 0, waitingPerAddress: 0 },
}

/** Frees the place again; calling it twice does no harm. */
export type Release = () => void

type Waiter = { address: string; go(release: Release | null): void }

export type Lanes = {
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

  const hasRoom = (address: string) => used < limits.together && (inUse.get(address) ?? 0) < limits.perAddress

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

  /** First come, first served among those whose address has room. */
  function admitNext(): void {
    for (const waiter of waiters) {
      if (used >= limits.together) return
      if (hasRoom(waiter.address)) waiter.go(enter(waiter.address))
    }
  }

  return (address, signal) => {
    if (signal.aborted) return Promise.resolve(null)
    if (hasRoom(address)) return Promise.resolve(enter(address))
    if (waiters.size >= limits.waiting || (queued.get(address) ?? 0) >= limits.waitingPerAddress)
      return Promise.resolve(null)
    return new Promise(resolve => {
      const leave = () => waiter.go(null)
      const waiter: Waiter = {
        address,
        go(release) {
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
