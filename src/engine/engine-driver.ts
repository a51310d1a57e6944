export type EngineBuild = 'native' | 'wasm'

export type Lane = 'read' | 'write'

export type Statement = {
  lane: Lane
  /** `USE`, `SET` and nothing else: what the connection must know before the statement runs. */
  prelude: string
  /** What `{name:Type}` in the statement stands for. */
  parameters: Readonly<Record<string, string>>
  sql: string
  /** Rows of an insert, as the client sent them; null when the statement carries none. */
  body: Uint8Array<ArrayBuffer> | null
  /** Rows of an insert in a format that is no text: a file in the folder for what comes in. */
  rowsFile: string | null
  /** The format of a result whose query names none. */
  defaultFormat: string
}

export type StatementResult =
  | { kind: 'done'; bytes: Uint8Array; readRows: number; readBytes: number; writtenRows: number; elapsedMs: number }
  | { kind: 'failed'; message: string }

/**
 * One build of ClickHouse in this process. Every write runs on a connection of its own, so that settings and
 * parameters end with it and cannot leak into the next; a read may share one with reads of the same settings.
 */
export type EngineDriver = {
  build: EngineBuild
  memory: EngineMemory
  version: string
  /** How many statements of each lane, and of both together, may run at the same time. */
  slots: { read: number; write: number; total: number }
  run(statement: Statement, signal: AbortSignal): Promise<StatementResult>
  /** Keeps the machine code of all that has run so far for the lives to come: WebAssembly alone has to be compiled. */
  saveCode?(): Promise<void>
  close(): Promise<void>
}

/* The engine's share of the memory that Hydrant may use: a statement that wants too much has to fail alone, before the kernel ends the process. */

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
