/** The numbers of running and waiting work in the children, for `/metrics`. */
import type { StatementCounts } from '#engine/statement-queue.ts'
import type { TurnCounts } from '#lib/turns.ts'
import type { HydrantMetrics } from '#metrics.ts'

type Show<Counts> = {
  /** The counts of the running child. */
  show(counts: Counts): void
  /** The child has ended. */
  reset(): void
}

const noStatements: StatementCounts = {
  readsRunning: 0,
  readsWaiting: 0,
  writesRunning: 0,
  writesWaiting: 0,
  cancelled: 0,
}

export function showStatements(metrics: HydrantMetrics): Show<StatementCounts> {
  let last = noStatements
  function show(counts: StatementCounts): void {
    metrics.engineStatements.set(counts.readsRunning, { kind: 'read', state: 'running' })
    metrics.engineStatements.set(counts.readsWaiting, { kind: 'read', state: 'waiting' })
    metrics.engineStatements.set(counts.writesRunning, { kind: 'write', state: 'running' })
    metrics.engineStatements.set(counts.writesWaiting, { kind: 'write', state: 'waiting' })
    metrics.engineCancelled.inc({}, counts.cancelled - last.cancelled)
    last = counts
  }
  return {
    show,
    reset() {
      show({ ...noStatements, cancelled: last.cancelled })
      last = noStatements
    },
  }
}

const noReads: TurnCounts = { running: 0, waiting: 0, left: 0, refused: 0 }

export function showReads(metrics: HydrantMetrics): Show<TurnCounts> {
  let last = noReads
  function show(counts: TurnCounts): void {
    metrics.reads.set(counts.running, { state: 'running' })
    metrics.reads.set(counts.waiting, { state: 'waiting' })
    metrics.readsEnded.inc({ reason: 'left' }, counts.left - last.left)
    metrics.readsEnded.inc({ reason: 'refused' }, counts.refused - last.refused)
    last = counts
  }
  return {
    show,
    reset() {
      show({ ...noReads, left: last.left, refused: last.refused })
      last = noReads
    },
  }
}
