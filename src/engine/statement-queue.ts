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

/** Bounds what runs side by side. Where the lanes share slots they take turns, so a page cannot starve an insert. */
export function createStatementQueue(driver: EngineDriver): StatementQueue {
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
    try {
      next.resolve(await driver.run(next.statement, next.signal))
    } catch (error) {
      next.reject(error)
    } finally {
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
