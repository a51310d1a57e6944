/** Divides the memory limit between digest and web. The engine plans its own share (`planEngineMemory` in engine/engine-driver.ts). */
import type { EngineKind } from '#engine/engine-kind.ts'
import type { SliceBound } from '#inbox/read-log.ts'

const MiB = 1024 * 1024

/** With less, the engine is killed again and again and accepted events are never digested. Measured for the WebAssembly build (0031). */
export const minimumBytes: Record<EngineKind, number> = { wasm: 1000 * MiB, native: 512 * MiB, server: 320 * MiB }

/** From here on more memory changes nothing. */
const roomyBytes = 2048 * MiB

export type MemoryPlan = { batch: SliceBound; digestHeapMb: number; webHeapMb: number; isTight: boolean }

/**
 * Larger batches compress and insert better, smaller ones need less memory; two are in memory at a time. `maxRecords` bounds the
 * spooled bodies per batch: each is a blob to write, and a restart loses a batch that takes minutes. `maxFiles` lets a batch span the
 * small log segments that many restarts leave behind.
 */
export function planMemory(limitBytes: number, kind: EngineKind): MemoryPlan {
  const share = Math.max(0, Math.min(1, (limitBytes - minimumBytes[kind]) / (roomyBytes - minimumBytes[kind])))
  const between = (least: number, most: number): number => Math.round(least + share * (most - least))
  return {
    batch: { maxRecords: between(600, 3_000), maxBytes: between(2 * MiB, 12 * MiB), maxFiles: 64 },
    digestHeapMb: between(256, 512),
    webHeapMb: between(224, 384),
    isTight: share < 1,
  }
}

const names: Record<EngineKind, string> = {
  wasm: 'the WebAssembly build of its database',
  native: 'its embedded database',
  server: 'an external ClickHouse server',
}

/** What to do about too little memory; null when there is enough. */
export function describeShortage(limitBytes: number, kind: EngineKind): string | null {
  if (limitBytes >= minimumBytes[kind]) return null
  const [has, needs] = [limitBytes, minimumBytes[kind]].map(bytes => `${Math.floor(bytes / MiB)} MiB`)
  const other = kind === 'server' ? '' : ', or set CLICKHOUSE_URL to a ClickHouse server'
  return `Hydrant needs at least ${needs} of memory with ${names[kind]}, but the limit here is ${has}. Raise the memory limit${other}.`
}
