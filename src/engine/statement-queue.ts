import type { EngineDriver, Lane, Statement, StatementResult } from './engine-driver.ts'

type Waiting = {
  statement: Statement
  signal: AbortSignal
  resolve: (result: StatementResult) => void
  reject: (reason: unknown) => void
}

export type StatementQueue = {
  run(statement: Statement, signal: AbortSignal): Promise<StatementResult>
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

/** Limits concurrent statements. Lanes that share slots take turns, so pages cannot starve an insert. */
export function createStatementQueue(
  driver: EngineDriver,
  { onStuck, graceMs = defaultGraceMs }: QueueOptions,
): StatementQueue {
  const waiting: Record<Lane, Waiting[]> = { read: [], write: [] }
  const running: Record<Lane, number> = { read: 0, write: 0 }
  const idleWaiters: (() => void)[] = []
  let lastServed: Lane = 'read'

  const mayStart = (lane: Lane) =>
    waiting[lane].length > 0 && running[lane] < driver.slots[lane] && running.read + running.write < driver.slots.total

  function nextLane(): Lane | null {
    const other: Lane = lastServed === 'read' ? 'write' : 'read'
    if (mayStart(other)) return other
    return mayStart(lastServed) ? lastServed : null
  }

  function startNext(): void {
    for (let lane = nextLane(); lane !== null; lane = nextLane()) {
      const next = waiting[lane].shift()
      if (next === undefined) return
      lastServed = lane
      if (next.signal.aborted) next.reject(next.signal.reason)
      else void start(lane, next)
    }
    if (running.read + running.write + waiting.read.length + waiting.write.length === 0) {
      for (const wake of idleWaiters.splice(0)) wake()
    }
  }

  async function start(lane: Lane, next: Waiting): Promise<void> {
    running[lane]++
    let grace: NodeJS.Timeout | undefined
    const waitForEnd = () => {
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
        waiting[statement.lane].push({ statement, signal, resolve, reject })
        startNext()
      }),
    idle: () =>
      new Promise(resolve => {
        idleWaiters.push(resolve)
        startNext()
      }),
  }
}
