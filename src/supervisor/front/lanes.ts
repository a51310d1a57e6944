/**
 * Limits concurrent requests to web. Pages, uploads, downloads and live streams have a lane each, so that none starves the others. Within
 * a lane each session and each address has a limit: the requests of one busy client queue behind each other, not in front of others.
 */
export type LaneName = 'page' | 'upload' | 'download' | 'stream'

type LaneLimits = Record<
  'running' | 'waiting',
  {
    total: number
    perAddress: number
    /** Per session cookie or token. Many of them may share an address. */
    perSession: number
  }
>

/** Web has one thread: more concurrent pages would only make all of them slower. Above `waiting` a request is refused. */
const lanes: Record<LaneName, LaneLimits> = {
  page: {
    running: { total: 64, perAddress: 24, perSession: 12 },
    waiting: { total: 1000, perAddress: 200, perSession: 100 },
  },
  // sentry-cli sends up to eight chunks side by side.
  upload: {
    running: { total: 24, perAddress: 12, perSession: 8 },
    waiting: { total: 200, perAddress: 64, perSession: 64 },
  },
  // A browser opens six connections. A page of feedback shows tens of pictures, which queue.
  download: {
    running: { total: 64, perAddress: 24, perSession: 6 },
    waiting: { total: 400, perAddress: 150, perSession: 100 },
  },
  // All tabs of a browser share one stream; without a secure origin each window has one. An office may share an address.
  stream: {
    running: { total: 1000, perAddress: 250, perSession: 16 },
    waiting: { total: 0, perAddress: 0, perSession: 0 },
  },
}

/** Who asks. Without a session only the address counts. */
export type Client = { address: string; session: string | null }

/** Frees the slot. Calling it twice is harmless. */
export type Release = () => void

/** Which limit is reached. */
export type LaneFull = 'total' | 'address' | 'session'
type Taken = { kind: 'taken'; release: Release } | { kind: 'full'; of: LaneFull } | { kind: 'gone' }

type Lane = {
  take(client: Client, signal: AbortSignal): Promise<Taken>
  tryTake(client: Client): Release | null
}

type Lanes = {
  /** `full` when there is no room to wait either, `gone` when `signal` ended the wait. */
  take(lane: LaneName, client: Client, signal: AbortSignal): Promise<Taken>
  /** A slot that is free now, otherwise null. */
  tryTake(lane: LaneName, client: Client): Release | null
}

export function createLanes(limits: Record<LaneName, LaneLimits> = lanes): Lanes {
  const open: Record<LaneName, Lane> = {
    page: createLane(limits.page),
    upload: createLane(limits.upload),
    download: createLane(limits.download),
    stream: createLane(limits.stream),
  }
  return {
    take: (name, client, signal) => open[name].take(client, signal),
    tryTake: (name, client) => open[name].tryTake(client),
  }
}

type Waiter = { client: Client; start(): void }

function createLane(limits: LaneLimits): Lane {
  const running = countClients(limits.running)
  const waiting = countClients(limits.waiting)
  const waiters = new Set<Waiter>()

  function enter(client: Client): Release {
    running.add(client, 1)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      running.add(client, -1)
      admitNext()
    }
  }

  /** In order of arrival, skipping clients that are at their limit. */
  function admitNext(): void {
    for (const waiter of waiters) {
      const full = running.findFull(waiter.client)
      if (full === 'total') return
      if (full === null) waiter.start()
    }
  }

  return {
    tryTake: client => (running.findFull(client) === null ? enter(client) : null),
    take(client, signal) {
      if (signal.aborted) return Promise.resolve({ kind: 'gone' })
      const full = running.findFull(client)
      if (full === null) return Promise.resolve({ kind: 'taken', release: enter(client) })
      // In a lane without waiting, name the limit that is reached.
      const noRoom = waiting.findFull(client)
      if (noRoom !== null) return Promise.resolve({ kind: 'full', of: limits.waiting.total === 0 ? full : noRoom })
      return new Promise(resolve => {
        const settle = (taken: Taken): void => {
          waiters.delete(waiter)
          waiting.add(client, -1)
          signal.removeEventListener('abort', leave)
          resolve(taken)
        }
        const leave = () => settle({ kind: 'gone' })
        const waiter: Waiter = { client, start: () => settle({ kind: 'taken', release: enter(client) }) }
        waiters.add(waiter)
        waiting.add(client, 1)
        signal.addEventListener('abort', leave, { once: true })
      })
    },
  }
}

function countClients(limits: LaneLimits['running']) {
  const addresses = new Map<string, number>()
  const sessions = new Map<string, number>()
  let total = 0
  return {
    add({ address, session }: Client, change: 1 | -1): void {
      total += change
      add(addresses, address, change)
      if (session !== null) add(sessions, session, change)
    },
    /** Which limit leaves no room for one more. */
    findFull({ address, session }: Client): LaneFull | null {
      if (total >= limits.total) return 'total'
      if (session !== null && (sessions.get(session) ?? 0) >= limits.perSession) return 'session'
      return (addresses.get(address) ?? 0) >= limits.perAddress ? 'address' : null
    },
  }
}

function add(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change
  if (count > 0) counts.set(key, count)
  else counts.delete(key)
}
