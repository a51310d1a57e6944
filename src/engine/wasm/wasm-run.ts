import { basename, join } from 'node:path'
import type { Statement, StatementResult } from '../engine-driver.ts'
import { wasmStatementSettings } from '../engine-settings.ts'
import { incomingFolder } from '../incoming-folder.ts'
import { insertFromFile, setParameters } from '../statement.ts'
import { type WasmInstance, wasmDataPath } from './wasm-instance.ts'

function withText<T>(wasm: WasmInstance, parts: (string | Uint8Array)[], use: (address: bigint) => T): T {
  const address = allocateText(wasm, ...parts)
  try {
    return use(address)
  } finally {
    wasm.module._free(Number(address))
  }
}

export function openConnection(wasm: WasmInstance): bigint {
  const connection = withText(wasm, [wasmDataPath], path => wasm.module._chdb_wasm_connect(path))
  if (connection === 0n) throw new Error('The engine could not open its data folder')
  return connection
}

function takeResult({ module, memory }: WasmInstance, result: bigint): StatementResult {
  if (result === 0n) return { kind: 'failed', message: 'Code: 1002. DB::Exception: no result. (UNKNOWN_EXCEPTION)' }
  try {
    const error = module._chdb_wasm_result_error(result)
    const message = error === 0n ? '' : module.UTF8ToString(Number(error))
    if (message !== '') return { kind: 'failed', message }
    const start = Number(module._chdb_wasm_result_buffer(result))
    const length = Number(module._chdb_wasm_result_length(result))
    const bytes = new Uint8Array(length) // a copy, since the engine reuses its memory
    if (length > 0) bytes.set(new Uint8Array(memory.buffer, start, length))
    return {
      kind: 'done',
      bytes,
      readRows: Number(module._chdb_wasm_result_scanned_rows(result)),
      readBytes: Number(module._chdb_wasm_result_scanned_bytes(result)),
      writtenRows: 0,
      elapsedMs: module._chdb_wasm_result_elapsed(result) * 1000,
    }
  } finally {
    module._chdb_wasm_free_result(result)
  }
}

export function query(
  wasm: WasmInstance,
  connection: bigint,
  format: string,
  ...sql: (string | Uint8Array)[]
): StatementResult {
  return withText(wasm, sql, text =>
    withText(wasm, [format], name => takeResult(wasm, wasm.module._chdb_wasm_query_conn(connection, text, name))),
  )
}

/** The path of an incoming file as the engine sees it. */
const pathInside = (rowsFile: string): string => join(incomingFolder(wasmDataPath), basename(rowsFile))

/** Runs a write on its own connection. Blocks this thread until it is done. */
export function writeOnWasm(wasm: WasmInstance, statement: Statement) {
  const { prelude, parameters, body, rowsFile, defaultFormat } = statement
  const sql = rowsFile === null ? statement.sql : insertFromFile(statement.sql, pathInside(rowsFile))
  const connection = openConnection(wasm)
  try {
    const settings = [`SET ${wasmStatementSettings}`, prelude, setParameters(parameters)].filter(Boolean).join('; ')
    // An insert needs a separate call, because its rows are the rest of the text.
    const prepared = query(wasm, connection, defaultFormat, settings)
    return prepared.kind === 'failed' ? prepared : query(wasm, connection, defaultFormat, sql, '\n', body ?? '')
  } finally {
    wasm.module._chdb_wasm_close_conn(connection)
  }
}

const terminator = 1

/** Copies the parts into the engine's memory as one C string. The caller frees it. */
function allocateText({ module, memory }: WasmInstance, ...parts: (string | Uint8Array)[]): bigint {
  const chunks = parts.map(part => (typeof part === 'string' ? Buffer.from(part) : part))
  const sizeBytes = chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0)
  const address = module._malloc(sizeBytes + terminator)
  if (address === 0) throw new Error(`The engine has no memory left for a statement of ${sizeBytes} bytes`)
  // A fresh view each time: another thread may have grown the memory.
  const heap = new Uint8Array(memory.buffer)
  let offset = address
  for (const chunk of chunks) {
    heap.set(chunk, offset)
    offset += chunk.byteLength
  }
  heap[offset] = 0
  return BigInt(address)
}
