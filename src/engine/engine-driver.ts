export type EngineBuild = 'native' | 'wasm'

export type Lane = 'read' | 'write'

export type Statement = {
  lane: Lane
  /** `USE` and `SET` statements that run before this one on the same connection. */
  prelude: string
  /** The values of `{name:Type}` in the statement. */
  parameters: Readonly<Record<string, string>>
  sql: string
  /** Rows of an insert in a text format, as the client sent them. */
  body: Uint8Array<ArrayBuffer> | null
  /** Rows of an insert in a binary format: a file in the incoming folder. */
  rowsFile: string | null
  /** The result format of a query without a FORMAT clause. */
  defaultFormat: string
}

export type StatementResult =
  | { kind: 'done'; bytes: Uint8Array; readRows: number; readBytes: number; writtenRows: number; elapsedMs: number }
  | { kind: 'failed'; message: string }

/**
 * A build of ClickHouse in this process. Every write gets its own connection, so its settings and parameters can't leak
 * into the next write. Reads with the same settings may share a connection.
 */
export type EngineDriver = {
  build: EngineBuild
  memory: EngineMemory
  version: string
  /** How many statements may run concurrently, per lane and in total. */
  slots: { read: number; write: number; total: number }
  run(statement: Statement, signal: AbortSignal): Promise<StatementResult>
  /** Saves the machine code compiled so far for later starts (WebAssembly only). */
  saveCode?(): Promise<void>
  close(): Promise<void>
}

const MiB = 1024 * 1024

export type EngineMemory = {
  /** The limit of the engine as a whole. In the WebAssembly build, of the module's memory, which never shrinks. */
  engineBytes: number
  /** The limit of one statement. Above `spillBytes` it sorts and groups on disk. */
  statementBytes: number
  spillBytes: number
  /** The size of each of the larger caches. */
  cacheBytes: number
}

/** More makes nothing faster. The module of the WebAssembly build declares 2 GiB. */
const max = { native: 1400 * MiB, wasm: 2048 * MiB, statement: 700 * MiB, cache: 32 * MiB }
const min = { engine: 192 * MiB, cache: 4 * MiB }

/** Memory of main and web with small batches, plus the code and threads of the WebAssembly build, which are outside its module's memory (measured: 0031). */
const otherBytes: Record<EngineBuild, number> = { native: 260 * MiB, wasm: 730 * MiB }

/** The engine's share of the memory limit. A greedy statement has to fail alone, before the kernel kills the process. */
export function planEngineMemory(limitBytes: number, build: EngineBuild): EngineMemory {
  const engineBytes = Math.max(min.engine, Math.min(max[build], limitBytes - otherBytes[build]))
  const statementBytes = Math.min(max.statement, Math.floor(engineBytes * 0.6))
  return {
    engineBytes,
    statementBytes,
    spillBytes: Math.floor(statementBytes * 0.4),
    cacheBytes: Math.max(min.cache, Math.min(max.cache, Math.floor(engineBytes / 32))),
  }
}
