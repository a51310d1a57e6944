/** How far the log is safely on disk, shared between the thread that appends and the thread that digests. */
export type DurableEnd = { segment: number; position: number }

/** Two numbers that must be read together: an odd version means that a write is under way. */
export type SharedEnd = Float64Array<SharedArrayBuffer>

export const createSharedEnd = (): SharedEnd => new Float64Array(new SharedArrayBuffer(24))

export function publishEnd(shared: SharedEnd, end: DurableEnd): void {
  const version = new Int32Array(shared.buffer, 16, 1)
  Atomics.add(version, 0, 1)
  shared[0] = end.segment
  shared[1] = end.position
  Atomics.add(version, 0, 1)
  Atomics.notify(version, 0)
}

/** Resolves when the end has moved, or after the time: the digest thread sleeps here when there is nothing to do. */
export async function waitForEnd(shared: SharedEnd, known: DurableEnd, timeoutMs: number): Promise<void> {
  const version = new Int32Array(shared.buffer, 16, 1)
  const before = Atomics.load(version, 0)
  const now = readEnd(shared)
  if (now.segment !== known.segment || now.position !== known.position) return
  const wait = Atomics.waitAsync(version, 0, before, timeoutMs)
  if (wait.async) await wait.value
}

export function readEnd(shared: SharedEnd): DurableEnd {
  const version = new Int32Array(shared.buffer, 16, 1)
  for (;;) {
    const before = Atomics.load(version, 0)
    const end = { segment: shared[0] ?? 0, position: shared[1] ?? 0 }
    if ((before & 1) === 0 && Atomics.load(version, 0) === before) return end
  }
}
