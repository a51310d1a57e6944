/** The engine process, started by start-engine.ts: engine-process.ts <data folder> <socket> <use-code|ignore-code|make-code> */
import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { lockFolder } from '#lib/lock-folder.ts'
import { endBeforeParent, readMemoryLimit } from '#lib/memory-limit.ts'
import { respondToPings } from '#lib/ping-child.ts'
import { pushCounts } from '#lib/push-counts.ts'
import { escapeControl } from '#lib/text.ts'
import { lowerProcessPriority } from '#lib/timing.ts'
import type { EngineDriver } from './engine-driver.ts'
import { planEngineMemory } from './engine-driver.ts'
import { createEngineServer } from './engine-server.ts'
import { incomingFolder } from './incoming-folder.ts'
import { locateEngine } from './native/locate-engine.ts'
import { openNativeDriver } from './native/native-driver.ts'
import type { EngineMessage, EngineRequest } from './start-engine.ts'
import { createStatementQueue } from './statement-queue.ts'
import { openWasmDriver } from './wasm/wasm-driver.ts'

const drainMs = 5000
const lockTimeoutMs = 3000 // the previous engine may still be exiting
const root = join(import.meta.dirname, '../..')

function sendToParent(message: EngineMessage): Promise<void> {
  return new Promise(resolve => {
    if (process.send) process.send(message, () => resolve())
    else resolve()
  })
}

async function exitWith(reason: string): Promise<never> {
  await sendToParent({ type: 'failed', reason })
  process.exit(1)
}

function openDriver(dataPath: string, mayUseCode: boolean): Promise<EngineDriver> {
  const engine = locateEngine(root)
  if (engine.kind === 'missing') return exitWith(engine.reason)
  const memory = planEngineMemory(readMemoryLimit().bytes, engine.kind)
  return engine.kind === 'native'
    ? openNativeDriver(engine.chdb, dataPath, memory)
    : openWasmDriver({ packagePath: engine.packagePath, dataPath, mayUseCode, engineMemory: memory })
}

async function main(dataPath: string, socketPath: string, mayUseCode: boolean): Promise<void> {
  // Without its parent the process would keep the folder locked for nothing. Acknowledged rows are on disk.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  if (process.connected === false) return process.exit(0) // the parent was gone before the listener was attached
  respondToPings()
  process.on('SIGINT', () => {}) // the parent handles Ctrl-C
  // Set once for all threads: the engine creates folders at any time, and a mask without x for the owner would lock it out of them.
  process.umask(0o077)
  mkdirSync(dataPath, { recursive: true, mode: 0o700 })
  // Two engines on one folder would destroy it, and the WebAssembly build has no file locks.
  const lock = lockFolder(dataPath, 'engine.lock', lockTimeoutMs)
  if (lock.kind === 'busy')
    return exitWith(
      `Another engine is using ${dataPath}. Stop the other Hydrant, or set HYDRANT_DATA_DIR to another folder.`,
    )
  if (lock.kind === 'damaged') return exitWith(`${lock.path} is damaged. Delete this file. It holds no data.`)
  process.on('exit', () => lock.release()) // also keeps the lock reachable: garbage collection would release it

  const driver = await openDriver(dataPath, mayUseCode)
  // Only a new process gets rid of a stuck statement. Acknowledged rows are on disk.
  const queue = createStatementQueue(driver, {
    onStuck: ({ sql }) => {
      process.stderr.write(
        `A statement is stuck; restarting the engine: ${escapeControl(JSON.stringify(sql.slice(0, 200)))}\n`,
      )
      process.kill(process.pid, 'SIGKILL')
    },
  })
  const incoming = incomingFolder(dataPath)
  rmSync(incoming, { recursive: true, force: true }) // rows that an earlier process did not insert are sent again
  mkdirSync(incoming, { mode: 0o700 })
  pushCounts('statements', queue.counts)
  const server = createEngineServer({ queue, incoming, memory: driver.memory })

  async function stop(): Promise<void> {
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), drainMs).unref()
    server.close()
    await queue.idle()
    await driver.close()
    process.exit(0)
  }
  process.on('SIGTERM', () => void stop())
  process.on('message', async (request: EngineRequest) => {
    if (request !== 'save-code') return
    await driver.saveCode?.()
    await sendToParent({ type: 'saved' })
  })

  rmSync(socketPath, { force: true }) // we hold the lock, so an existing socket is stale
  mkdirSync(dirname(socketPath), { recursive: true, mode: 0o700 })
  server.listen(socketPath, () => {
    chmodSync(socketPath, 0o600)
    void sendToParent({ type: 'ready', build: driver.build, version: driver.version })
  })
}

const [dataPath, socketPath, code] = process.argv.slice(2)
if (dataPath === undefined || socketPath === undefined) throw new Error('usage: engine-process <data folder> <socket>')
endBeforeParent()
if (code !== 'make-code') lowerProcessPriority()
main(dataPath, socketPath, code === 'use-code').catch((error: unknown) =>
  exitWith(`The engine failed to start: ${String(error)}`),
)
