/** The engine's share of the memory that Hydrant may use: a statement that wants too much has to fail alone, before the kernel ends the process. */
import type { EngineBuild } from './engine-driver.ts'

const MiB = 1024 * 1024

export type EngineMemory = {
  /** All that the engine may hold; of the WebAssembly build, its module's memory, which never shrinks. */
  engineBytes: number
  /** One statement. Above `spillBytes` it sorts and groups on disk. */
  statementBytes: number
  spillBytes: number
  /** Each of the larger caches. */
  cacheBytes: number
}

/** What a machine with room gets; more makes nothing faster. The module of the WebAssembly build declares 2 GiB. */
const most = { native: 1400 * MiB, wasm: 2048 * MiB, statement: 700 * MiB, cache: 32 * MiB }
const least = { engine: 192 * MiB, cache: 4 * MiB }

/** Main and web with small batches, and of the WebAssembly build also its code and threads, which are not in its module's memory (measured: 0031). */
const besideEngine: Record<EngineBuild, number> = { native: 260 * MiB, wasm: 730 * MiB }

export function planEngineMemory(limitBytes: number, build: EngineBuild): EngineMemory {
  const engineBytes = Math.max(least.engine, Math.min(most[build], limitBytes - besideEngine[build]))
  const statementBytes = Math.min(most.statement, Math.floor(engineBytes * 0.6))
  return {
    engineBytes,
    statementBytes,
    spillBytes: Math.floor(statementBytes * 0.4),
    cacheBytes: Math.max(least.cache, Math.min(most.cache, Math.floor(engineBytes / 32))),
  }
}
