import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { escapeControl } from '#lib/text.ts'
import { countRows } from '../count-rows.ts'
import type { EngineDriver, Statement, StatementResult } from '../engine-driver.ts'
import { engineVersion } from '../engine-settings.ts'
import type { WasmOptions } from './wasm-instance.ts'
import type { WasmWorkerReply, WasmWorkerRequest } from './wasm-worker.ts'

/** chDB as WebAssembly in a thread of this process. Runs one statement at a time, because its entry points are not reentrant. */
export async function openWasmDriver(workerData: WasmOptions): Promise<EngineDriver> {
  const worker = new Worker(new URL('./wasm-worker.ts', import.meta.url), { workerData, trackUnmanagedFds: false })
  // The engine is gone with its thread: exit, and the supervisor starts a new process.
  worker.on('error', error => {
    process.stderr.write(`The engine thread failed: ${escapeControl(error.stack ?? error.message)}\n`)
    process.exit(1)
  })

  const ready = await nextReply(worker)
  if (ready.type !== 'ready') throw new Error('The engine thread sent an unexpected message before it was ready')
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
      if (reply.type !== 'result') throw new Error('The engine thread sent no result')
      if (isExhausted(reply.result)) restartSoon()
      if (reply.result.kind === 'failed') return reply.result
      // An insert from a file reads nothing but its rows.
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

/** Exits after the response was sent. Acknowledged rows are on disk, and refused ones are sent again. */
function restartSoon(): void {
  process.stderr.write('The engine is out of memory; restarting it\n')
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), 200)
}

/** Never rejects: an error of the thread ends the process. */
function nextReply(worker: Worker): Promise<WasmWorkerReply> {
  return new Promise(resolve => {
    worker.once('message', resolve)
  })
}

const maxInARow = 2
const noMemory = /\(total\) memory limit exceeded|CANNOT_ALLOCATE_MEMORY|bad_alloc/i

/**
 * WebAssembly memory never shrinks: once it is at its limit and fragmented, every statement fails and only a new process helps.
 * A single failure may be the fault of a greedy statement; a second one in a row is not.
 */
export function createExhaustionWatch(): (result: StatementResult) => boolean {
  let inARow = 0
  return result => {
    const isOutOfMemory = result.kind === 'failed' && noMemory.test(result.message)
    if (isOutOfMemory) inARow++
    else if (result.kind === 'done') inARow = 0
    return inARow >= maxInARow
  }
}
