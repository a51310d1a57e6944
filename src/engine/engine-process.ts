import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { lockFolder } from '#lib/lock-folder.ts'
import { endBeforeParent, readMemoryLimit } from '#lib/memory-limit.ts'
import { answerPings } from '#lib/ping-child.ts'
import { escapeControl } from '#lib/text.ts'
import { stepProcessBack } from '#lib/timing.ts'
import type { EngineDriver } from './engine-driver.ts'
import { planEngineMemory } from './engine-driver.ts'
import { createEngineServer } from './engine-server.ts'
import { incomingFolder } from './incoming-folder.ts'
import { locateEngine } from './native/locate-engine.ts'
import { openNativeDriver } from './native/native-driver.ts'
import type { EngineMessage, EngineRequest } from './start-engine.ts'
import { createStatementQueue } from './statement-queue.ts'
import { openWasmDriver } from './wasm/wasm-driver.ts'

/** The engine's process: node engine-process.ts <data folder> <socket> <use-code|ignore-code|make-code>, started by start-engine.ts. */

const drainMs = 5000
const lockPatienceMs = 3000 // an engine that is just being replaced needs a moment to go
const root = join(import.meta.dirname, '../..')

function tellParent(message: EngineMessage): Promise<void> {
  return new Promise(resolve => {
    if (process.send) process.send(message, () => resolve())
    else resolve()
  })
}

async function giveUp(reason: string): Promise<never> {
  await tellParent({ type: 'failed', reason })
  process.exit(1)
}

function openDriver(dataPath: string, mayUseCode: boolean): Promise<EngineDriver> {
  const engine = locateEngine(root)
  if (engine.kind === 'missing') return giveUp(engine.reason)
  const memory = planEngineMemory(readMemoryLimit().bytes, engine.kind)
  return engine.kind === 'native'
    ? openNativeDriver(engine.chdb, dataPath, memory)
    : openWasmDriver({ packagePath: engine.packagePath, dataPath, mayUseCode, engineMemory: memory })
}

async function main(dataPath: string, socketPath: string, mayUseCode: boolean): Promise<void> {
  // An orphan would keep the folder locked, and nobody waits for its answers: what was acknowledged is on disk.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  if (process.connected === false) return process.exit(0) // it was gone before we could hear of it
  answerPings()
  process.on('SIGINT', () => {}) // a terminal's Ctrl-C is the parent's to handle
  // Once and for all: the engine's threads make folders at any moment, and a mask without x for the owner would lock it out of them.
  process.umask(0o077)
  mkdirSync(dataPath, { recursive: true, mode: 0o700 })
  // Two engines in one folder destroy it, and the WebAssembly build has no file locks of its own.
  const lock = lockFolder(dataPath, 'engine.lock', lockPatienceMs)
  if (lock.kind === 'busy')
    return giveUp(`Another engine is using ${dataPath}. Stop that Hydrant first, or choose another HYDRANT_DATA_DIR.`)
  if (lock.kind === 'damaged') return giveUp(`${lock.path} is damaged. Delete this file; it holds no data.`)
  process.on('exit', () => lock.release()) // and holds on to it until then: a collected lock is an open one

  const driver = await openDriver(dataPath, mayUseCode)
  // Nothing that this process still does can free it: the next one finds on disk all that was acknowledged.
  const queue = createStatementQueue(driver, {
    onStuck: ({ sql }) => {
      process.stderr.write(
        `A statement does not end, so the engine ends: ${escapeControl(JSON.stringify(sql.slice(0, 200)))}\n`,
      )
      process.kill(process.pid, 'SIGKILL')
    },
  })
  const incoming = incomingFolder(dataPath)
  rmSync(incoming, { recursive: true, force: true }) // what an earlier life did not get to insert comes again
  mkdirSync(incoming, { mode: 0o700 })
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
    await tellParent({ type: 'saved' })
  })

  rmSync(socketPath, { force: true }) // we hold the lock, so a socket found here has no owner
  mkdirSync(dirname(socketPath), { recursive: true, mode: 0o700 })
  server.listen(socketPath, () => {
    chmodSync(socketPath, 0o600)
    void tellParent({ type: 'ready', build: driver.build, version: driver.version })
  })
}

const [dataPath, socketPath, code] = process.argv.slice(2)
if (dataPath === undefined || socketPath === undefined) throw new Error('usage: engine-process <data folder> <socket>')
endBeforeParent()
if (code !== 'make-code') stepProcessBack()
main(dataPath, socketPath, code === 'use-code').catch((error: unknown) =>
  giveUp(`The engine did not start: ${String(error)}`),
)
