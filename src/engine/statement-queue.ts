import type { EngineDriver, Lane, Statement, StatementResult } from './engine-driver.ts'

type Waiting = {
  statement: Statement
  signal: AbortSignal
  resolve: (result: StatementResult) => void
  reject: (reason: unknown) => void
  /** When its client disconnects before it has started. */
  leave: () => void
}

export type StatementCounts = {
  readsRunning: number
  readsWaiting: number
  writesRunning: number
  writesWaiting: number
  /** Since the start: statements whose client disconnected before they ended. */
  cancelled: number
}

export type StatementQueue = {
  /** Rejects with the reason of the signal if that ends the wait. A running statement is cancelled by the driver. */
  run(statement: Statement, signal: AbortSignal): Promise<StatementResult>
  counts(): StatementCounts
  /** Resolves when nothing runs and nothing waits. */
  idle(): Promise<void>
}

type QueueOptions = {
  /** Called for a statement that still runs `graceMs` after its client has disconnected. */
  onStuck: (statement: Statement) => void
  graceMs?: number
}

/** A read ends by itself after 30 s, and the client of a write gives up after two minutes. */
const defaultGraceMs = 60_000

/**
 * Limits concurrent statements. Lanes that share slots take turns, so pages cannot starve an insert. Reads run in order of
 * arrival: web has already put them in turns (`store/telemetry/take-turns.ts`).
 */
export function createStatementQueue(
  driver: EngineDriver,
  { onStuck, graceMs = defaultGraceMs }: QueueOptions,
): StatementQueue {
  const waiting: Record<Lane, Set<Waiting>> = { read: new Set(), write: new Set() }
  let cancelled = 0
  const running: Record<Lane, number> = { read: 0, write: 0 }
  const idleWaiters: (() => void)[] = []
  let lastServed: Lane = 'read'

  const mayStart = (lane: Lane) =>
    waiting[lane].size > 0 && running[lane] < driver.slots[lane] && running.read + running.write < driver.slots.total

  function nextLane(): Lane | null {
    const other: Lane = lastServed === 'read' ? 'write' : 'read'
    if (mayStart(other)) return other
    return mayStart(lastServed) ? lastServed : null
  }

  function startNext(): void {
    for (let lane = nextLane(); lane !== null; lane = nextLane()) {
      const [next] = waiting[lane]
      if (next === undefined) return
      lastServed = lane
      waiting[lane].delete(next)
      void start(lane, next)
    }
    if (running.read + running.write + waiting.read.size + waiting.write.size === 0) {
      for (const wake of idleWaiters.splice(0)) wake()
    }
  }

  async function start(lane: Lane, next: Waiting): Promise<void> {
    running[lane]++
    next.signal.removeEventListener('abort', next.leave)
    let grace: NodeJS.Timeout | undefined
    const waitForEnd = () => {
      cancelled++
      grace = setTimeout(onStuck, graceMs, next.statement)
    }
    next.signal.addEventListener('abort', waitForEnd)
    try {
      next.resolve(await driver.run(next.statement, next.signal))
    } catch (error) {
      next.reject(error)
    } finally {
      next.signal.removeEventListener('abort', waitForEnd)
      clearTimeout(grace)
      running[lane]--
      startNext()
    }
  }

  return {
    run: (statement, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason)
        const leave = () => {
          waiting[statement.lane].delete(next)
          cancelled++
          reject(signal.reason)
          startNext()
        }
        const next: Waiting = { statement, signal, resolve, reject, leave }
        signal.addEventListener('abort', leave, { once: true })
        waiting[statement.lane].add(next)
        startNext()
      }),
    counts: () => ({
      readsRunning: running.read,
      readsWaiting: waiting.read.size,
      writesRunning: running.write,
      writesWaiting: waiting.write.size,
      cancelled,
    }),
    idle: () =>
      new Promise(resolve => {
        idleWaiters.push(resolve)
        startNext()
      }),
  }
}
