import type { EngineMemory } from './engine-memory.ts'

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
