/** The thread that runs the WebAssembly build. A statement blocks only this thread. */
import { parentPort, workerData } from 'node:worker_threads'
import type { Statement, StatementResult } from '../engine-driver.ts'
import { saveWasmCode } from './wasm-code.ts'
import { createWasmInstance, type WasmOptions } from './wasm-instance.ts'
import { createWasmReader } from './wasm-reader.ts'
import { openConnection, writeOnWasm } from './wasm-run.ts'

export type WasmWorkerReply =
  | { type: 'ready'; memory: WebAssembly.Memory; cancelFlagAddress: number }
  | { type: 'result'; result: StatementResult }
  | { type: 'saved' }

export type WasmWorkerRequest = Statement | 'save-code' | 'close'

const port = parentPort
if (port === null) throw new Error('wasm-worker.ts must run in a worker thread')

const options: WasmOptions = workerData
const wasm = await createWasmInstance(options)
// Kept open: when the last connection closes, the engine closes its tables.
const heldConnection = openConnection(wasm)
const read = createWasmReader(wasm)

port.on('message', (statement: WasmWorkerRequest) => {
  if (statement === 'close') {
    wasm.module._chdb_wasm_close_conn(heldConnection)
    process.exit(0)
  }
  if (statement === 'save-code') {
    saveWasmCode(options.packagePath, wasm.compiled)
    port.postMessage({ type: 'saved' } satisfies WasmWorkerReply)
    return
  }
  const result = statement.lane === 'read' ? read(statement) : writeOnWasm(wasm, statement)
  const transfer = result.kind === 'done' && result.bytes.buffer instanceof ArrayBuffer ? [result.bytes.buffer] : []
  port.postMessage({ type: 'result', result } satisfies WasmWorkerReply, transfer)
})

const ready: WasmWorkerReply = {
  type: 'ready',
  memory: wasm.memory,
  cancelFlagAddress: Number(wasm.module._chdb_wasm_cancel_flag_addr()),
}
port.postMessage(ready)
