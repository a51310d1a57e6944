/** Which record the digest thread is processing, in memory that the main thread can read while the digest thread is busy. */
import type { LogPosition } from '#inbox/read-log.ts'

/** Segment, offset, and a counter that is odd while a record is being processed, so each record has its own number. */
export type RecordInProgress = Float64Array<SharedArrayBuffer>

export const createRecordInProgress = (): RecordInProgress => new Float64Array(new SharedArrayBuffer(24))

export function beginRecord(shared: RecordInProgress, { segment, position }: LogPosition): void {
  shared[0] = segment
  shared[1] = position
  Atomics.add(counterOf(shared), 0, 1)
}

export function endRecord(shared: RecordInProgress): void {
  Atomics.add(counterOf(shared), 0, 1)
}

/** Null between two records. */
export function readInProgress(shared: RecordInProgress): { number: number; at: LogPosition } | null {
  const counter = counterOf(shared)
  const number = Atomics.load(counter, 0)
  const at = { segment: shared[0] ?? 0, position: shared[1] ?? 0 }
  return number % 2 === 0 || Atomics.load(counter, 0) !== number ? null : { number, at }
}

const counters = new WeakMap<RecordInProgress, Int32Array<SharedArrayBuffer>>()

/** Made once: a view per record would be garbage per record. */
function counterOf(shared: RecordInProgress): Int32Array<SharedArrayBuffer> {
  let counter = counters.get(shared)
  if (counter === undefined) {
    counter = new Int32Array(shared.buffer, 16, 1)
    counters.set(shared, counter)
  }
  return counter
}
