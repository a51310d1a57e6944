import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { escapeControl } from '#lib/text.ts'
import { countRows } from '../count-rows.ts'
import type { EngineDriver, Statement, StatementResult } from '../engine-driver.ts'
import { engineVersion } from '../engine-settings.ts'
import type { WasmOptions } from './wasm-instance.ts'
import type { WasmWorkerReply, WasmWorkerRequest } from './wasm-worker.ts'

/** chDB as WebAssembly in a thread of this process. One statement at a time: its entry points are not reentrant. */
export async function openWasmDriver(workerData: WasmOptions): Promise<EngineDriver> {
  const worker = new Worker(new URL('./wasm-worker.ts', import.meta.url), { workerData, trackUnmanagedFds: false })
  // A thread that dies has taken the engine with it: the process ends and its supervisor starts the next one.
  worker.on('error', error => {
    process.stderr.write(`The engine thread failed: ${escapeControl(error.stack ?? error.message)}\n`)
    process.exit(1)
  })

  const ready = await nextReply(worker)
  if (ready.type !== 'ready') throw new Error('The engine thread answered before it was ready')
  const isExhausted = createExhaustionWatch()
  const cancelFlag = new Int32Array(ready.memory.buffer, ready.cancelFlagAddress, 1)

  async function run(statement: Statement, signal: AbortSignal): Promise<StatementResult> {
    Atomics.store(cancelFlag, 0, 0)
    const cancel = () => Atomics.store(cancelFlag, 0, 1)
    signal.addEventListener('abort', cancel)
    try {
      const writtenRows = statement.body === null ? 0 : countRows(statement.body)
      worker.postMessage(statement, statement.body === null ? [] : [statement.body.buffer])
      const reply = await nextReply(worker)
      if (reply.type !== 'result') throw new Error('The engine thread started twice')
      if (isExhausted(reply.result)) endSoon()
      if (reply.result.kind === 'failed') return reply.result
      // Rows in a file are all that such an insert reads.
      return { ...reply.result, writtenRows: statement.rowsFile === null ? writtenRows : reply.result.readRows }
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }

  return {
    build: 'wasm',
    memory: workerData.engineMemory,
    version: await engineVersion(run),
    slots: { read: 1, write: 1, total: 1 },
    run,
    saveCode: async () => {
      worker.postMessage('save-code' satisfies WasmWorkerRequest)
      await nextReply(worker)
    },
    close: async () => {
      const exited = once(worker, 'exit')
      worker.postMessage('close' satisfies WasmWorkerRequest)
      await exited
    },
  }
}

/** After the answer has left. What was acknowledged is on disk, and what was refused comes again. */
function endSoon(): void {
  process.stderr.write('The engine has no memory left that it could give back, so it ends and begins anew\n')
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), 200)
}

/** Failures of the thread are heard elsewhere and end the process. */
function nextReply(worker: Worker): Promise<WasmWorkerReply> {
  return new Promise(resolve => {
    worker.once('message', resolve)
  })
}

const mostInARow = 2
const noMemory = /\(total\) memory limit exceeded|CANNOT_ALLOCATE_MEMORY|bad_alloc/i

/**
 * WebAssembly's memory never shrinks: once it has grown as far as it can and is in pieces, whatever the engine is asked fails, and
 * only a new process helps. One statement alone may have wanted too much; the next one tells.
 */
export function createExhaustionWatch(): (result: StatementResult) => boolean {
  let inARow = 0
  return result => {
    const isRefused = result.kind === 'failed' && noMemory.test(result.message)
    if (isRefused) inARow++
    else if (result.kind === 'done') inARow = 0
    return inARow >= mostInARow
  }
}
