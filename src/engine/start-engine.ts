import { type ChildProcess, fork } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { pingChild } from '#lib/ping-child.ts'
import { readCounts } from '#lib/push-counts.ts'
import type { EngineBuild } from './engine-driver.ts'
import { compilingFlags, engineFlags } from './engine-flags.ts'
import type { StatementCounts } from './statement-queue.ts'

export type EngineHandle = {
  socketPath: string
  pid: number
  build: EngineBuild
  version: string
  exited: Promise<Exit>
  /** Saves the compiled code for later starts. Only between statements. */
  saveCode(): Promise<void>
  /** Resolves when the event loop has responded, independent of running statements. */
  ping(): Promise<void>
  stop(): Promise<void>
}

type Exit = { code: number | null; signal: NodeJS.Signals | null }

type StartEngineOptions = {
  dataPath: string
  socketPath: string
  /** Receives the engine's standard error line by line. */
  log: (line: string) => void
  /** Called when the numbers of running and waiting statements have changed. */
  onCounts?: (counts: StatementCounts) => void
  /** For Node, besides those that the engine needs. */
  nodeFlags?: readonly string[]
  /** Optimizes all code before it runs, which is slow, to save it afterwards. */
  isCompiling?: boolean
}

/** Starts the embedded engine and resolves when it accepts statements. Rejects with the engine's reason if it fails. */
export async function startEngine(options: StartEngineOptions): Promise<EngineHandle> {
  if (options.isCompiling) return launch(options, 'make-code')
  try {
    return await launch(options, 'use-code')
  } catch (error) {
    if (!(error instanceof EngineCrash)) throw error
    // Saved code is the first suspect.
    options.log(`${error.message}; restarting it without saved code`)
    return launch(options, 'ignore-code')
  }
}

class EngineCrash extends Error {}

async function launch(
  { dataPath, socketPath, log, onCounts, nodeFlags = [] }: StartEngineOptions,
  code: 'use-code' | 'ignore-code' | 'make-code',
): Promise<EngineHandle> {
  const child = fork(join(import.meta.dirname, 'engine-process.ts'), [dataPath, socketPath, code], {
    execArgv: [...engineFlags, ...nodeFlags, ...(code === 'make-code' ? compilingFlags.on : [])],
    // No variables of ours: the engine needs no secrets. Fewer malloc arenas save 100 MB. Native statements block seven threads of
    // the pool (engineReadSlots), ending one takes another, and the rest of the process needs some too.
    env: { TZ: 'UTC', NODE_ENV: 'production', MALLOC_ARENA_MAX: '2', UV_THREADPOOL_SIZE: '12', ...compileCacheEnv() },
    detached: true, // its own process group: Ctrl-C then reaches only us, and we stop the engine in order
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const exited = new Promise<Exit>((resolve, reject) => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
    child.once('error', reject) // the process could not be spawned
  })
  if (child.stderr) createInterface({ input: child.stderr }).on('line', log)
  if (onCounts)
    child.on('message', message => {
      const counts = readCounts<StatementCounts>('statements', message)
      if (counts !== null) onCounts(counts)
    })
  const message = await Promise.race([nextMessage(child), exited])
  if (!('type' in message)) throw earlyExitError(message)
  if (message.type === 'failed') throw new Error(message.reason)
  if (message.type !== 'ready') throw new Error('The engine sent an unexpected message before it was ready')
  if (child.pid === undefined) throw new Error('The engine has no process id')
  return {
    socketPath,
    pid: child.pid,
    build: message.build,
    version: message.version,
    exited,
    saveCode: async () => {
      child.send('save-code' satisfies EngineRequest)
      const reply = await Promise.race([nextMessage(child), exited])
      if (!('type' in reply)) throw new Error('The engine ended before its code was saved')
    },
    ping: () => pingChild(child),
    stop: async () => {
      child.kill('SIGTERM')
      await exited
    },
  }
}

/** Shares our compile cache. Otherwise each engine thread would load a TypeScript compiler. */
function compileCacheEnv(): { NODE_COMPILE_CACHE?: string } {
  const folder = getCompileCacheDir() // a subfolder for this version of Node in the configured folder
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) }
}

function earlyExitError({ code, signal }: Exit): Error {
  const message = `The engine ended before it was ready (${signal ?? code})`
  const wasStopped = signal === null || signal === 'SIGTERM' || signal === 'SIGKILL'
  return wasStopped ? new Error(message) : new EngineCrash(message)
}

const messageTypes = new Set<unknown>(['ready', 'failed', 'saved'] satisfies EngineMessage['type'][])

/** Skips pongs and counts. */
function nextMessage(child: ChildProcess): Promise<EngineMessage> {
  return new Promise(resolve => {
    const hear = (message: unknown): void => {
      if (typeof message !== 'object' || message === null || !('type' in message)) return
      if (!messageTypes.has(message.type)) return
      child.off('message', hear)
      resolve(message as EngineMessage) // the other end is our own code
    }
    child.on('message', hear)
  })
}

/** From the engine process to its parent: once about the start, and once per request. */
export type EngineMessage =
  | { type: 'ready'; build: EngineBuild; version: string }
  | { type: 'failed'; reason: string }
  | { type: 'saved' }

/** From the parent to the engine process, while no statement runs. */
export type EngineRequest = 'save-code'
