import { type ChildProcess, fork } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { pingChild } from '#lib/ping-child.ts'
import type { EngineBuild } from './engine-driver.ts'
import { compilingFlags, engineFlags } from './engine-flags.ts'

export type EngineHandle = {
  socketPath: string
  pid: number
  build: EngineBuild
  version: string
  exited: Promise<Exit>
  /** Keeps what was compiled for the lives to come. Only between statements. */
  saveCode(): Promise<void>
  /** Resolves when its event loop has answered, whatever its statements do. */
  ping(): Promise<void>
  stop(): Promise<void>
}

type Exit = { code: number | null; signal: NodeJS.Signals | null }

type StartEngineOptions = {
  dataPath: string
  socketPath: string
  /** Takes what the engine says on its standard error, line by line. */
  log: (line: string) => void
  /** Slow, and for one purpose: to compile well whatever runs, so that it can be saved. */
  isCompiling?: boolean
}

/** Starts the embedded engine and resolves when it answers. Rejects, with the engine's own reason, if it will not. */
export async function startEngine(options: StartEngineOptions): Promise<EngineHandle> {
  if (options.isCompiling) return launch(options, 'make-code')
  try {
    return await launch(options, 'use-code')
  } catch (error) {
    if (!(error instanceof EngineCrash)) throw error
    // Whatever it was, code that was saved by another life is the first suspect.
    options.log(`${error.message}; it starts once more and compiles its code anew`)
    return launch(options, 'ignore-code')
  }
}

class EngineCrash extends Error {}

async function launch(
  { dataPath, socketPath, log }: StartEngineOptions,
  code: 'use-code' | 'ignore-code' | 'make-code',
): Promise<EngineHandle> {
  const child = fork(join(import.meta.dirname, 'engine-process.ts'), [dataPath, socketPath, code], {
    execArgv: code === 'make-code' ? [...engineFlags, ...compilingFlags.on] : engineFlags,
    // Nothing of ours, the engine needs no secrets. Few heaps for its many threads are 100 MB less; native statements hold
    // four threads of the pool, and the rest of the process needs some too.
    env: { TZ: 'UTC', NODE_ENV: 'production', MALLOC_ARENA_MAX: '2', UV_THREADPOOL_SIZE: '8', ...sharedScripts() },
    detached: true, // its own group, so that a terminal's Ctrl-C reaches us alone and we stop it in order
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const exited = new Promise<Exit>((resolve, reject) => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
    child.once('error', reject) // it could not even be started
  })
  if (child.stderr) createInterface({ input: child.stderr }).on('line', log)
  const message = await Promise.race([nextMessage(child), exited])
  if (!('type' in message)) throw endedEarly(message)
  if (message.type === 'failed') throw new Error(message.reason)
  if (message.type !== 'ready') throw new Error('The engine answered before it was asked')
  if (child.pid === undefined) throw new Error('The engine has no process id')
  return {
    socketPath,
    pid: child.pid,
    build: message.build,
    version: message.version,
    exited,
    saveCode: async () => {
      child.send('save-code' satisfies EngineRequest)
      const answer = await Promise.race([nextMessage(child), exited])
      if (!('type' in answer)) throw new Error('The engine ended before its code was saved')
    },
    ping: () => pingChild(child),
    stop: async () => {
      child.kill('SIGTERM')
      await exited
    },
  }
}

/** Compiled scripts are kept where ours are. Each of the engine's threads would else bring a TypeScript compiler of its own. */
function sharedScripts(): { NODE_COMPILE_CACHE?: string } {
  const folder = getCompileCacheDir() // of this version of Node, inside the folder that was named
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) }
}

function endedEarly({ code, signal }: Exit): Error {
  const sentence = `The engine ended before it was ready (${signal ?? code})`
  const wasEnded = signal === null || signal === 'SIGTERM' || signal === 'SIGKILL'
  return wasEnded ? new Error(sentence) : new EngineCrash(sentence)
}

function nextMessage(child: ChildProcess): Promise<EngineMessage> {
  return new Promise(resolve => {
    child.once('message', message => resolve(message as EngineMessage)) // our own code at the other end
  })
}

/** What the engine's process tells its parent: once how its start went, and once for each request. */
export type EngineMessage =
  | { type: 'ready'; build: EngineBuild; version: string }
  | { type: 'failed'; reason: string }
  | { type: 'saved' }

/** What the parent asks, while no statement runs. */
export type EngineRequest = 'save-code'
