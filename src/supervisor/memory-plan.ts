/** What each part of Hydrant may take of the memory there is, so that all of them fit together. The engine plans its share by itself (engine-memory.ts). */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { EngineBuild } from '#engine/engine-driver.ts'
import type { SliceBound } from '#inbox/read-log.ts'

const MiB = 1024 * 1024

/** Which engine runs here; `server` is a ClickHouse elsewhere. */
type EngineKind = EngineBuild | 'server'

/** Below it the engine is killed again and again, and what was accepted waits for ever. Measured for the WebAssembly build (0031). */
export const minimumBytes: Record<EngineKind, number> = { wasm: 1000 * MiB, native: 512 * MiB, server: 320 * MiB }

/** From here on everything gets what it wants. */
const roomyBytes = 2048 * MiB

export type MemoryPlan = { batch: SliceBound; digestHeapMb: number; webHeapMb: number; isTight: boolean }

/**
 * Larger batches compress and insert better; smaller ones bound memory. Two are in memory at a time. Records are bounded for the sake
 * of those whose bodies lie in files of their own: each is a blob to write, and a batch that takes minutes is lost by each restart.
 * Each restart also leaves a file behind, often with little in it: what many of them left is caught up with in a few batches.
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

/** Without loading it: the WebAssembly build is installed only where no native library loads. */
export function engineKindHere(root: string, clickhouseUrl: string | undefined): EngineKind {
  if (clickhouseUrl !== undefined) return 'server'
  return existsSync(join(root, '.engine', 'node_modules', 'chdb-wasm', 'dist', 'chdb.wasm')) ? 'wasm' : 'native'
}

const names: Record<EngineKind, string> = {
  wasm: 'the embedded database as WebAssembly',
  native: 'the embedded database as a native library',
  server: 'a ClickHouse server elsewhere',
}

/** One sentence about too little memory; null where there is enough. */
export function describeShortage(limitBytes: number, kind: EngineKind): string | null {
  if (limitBytes >= minimumBytes[kind]) return null
  const [has, needs] = [limitBytes, minimumBytes[kind]].map(bytes => `${Math.floor(bytes / MiB)} MiB`)
  const other = kind === 'server' ? '' : ', or set CLICKHOUSE_URL to a ClickHouse server'
  return `Hydrant may use ${has} of memory here, and with ${names[kind]} it needs at least ${needs}: raise the memory limit${other}.`
}
