import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { EngineBuild } from './engine-driver.ts'
import type { EngineMessage } from './engine-message.ts'

export type EngineHandle = {
  socketPath: string
  pid: number
  build: EngineBuild
  version: string
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  stop(): Promise<void>
}

type StartEngineOptions = {
  dataPath: string
  socketPath: string
  /** Takes what the engine says on its standard error, line by line. */
  log: (line: string) => void
}

// Function bodies are checked and compiled when first called: a second less to wait for a 158 MB module.
const execArgv = [
  '--wasm-lazy-validation',
  '--wasm-lazy-compilation',
  // Measured: half a second sooner and 400 MB smaller; what is hot is still optimised, a little later and a tenth slower.
  '--no-wasm-inlining',
  '--wasm-tiering-budget=250000000',
  '--disable-warning=ExperimentalWarning',
]

/** Starts the embedded engine and resolves when it answers. Rejects, with the engine's own reason, if it will not. */
export async function startEngine({ dataPath, socketPath, log }: StartEngineOptions): Promise<EngineHandle> {
  const child = fork(join(import.meta.dirname, 'engine-process.ts'), [dataPath, socketPath], {
    execArgv,
    // Nothing of ours, the engine needs no secrets. Few heaps for its many threads are 100 MB less; native statements hold
    // four threads of the pool, and the rest of the process needs some too.
    env: { TZ: 'UTC', NODE_ENV: 'production', MALLOC_ARENA_MAX: '2', UV_THREADPOOL_SIZE: '8' },
    detached: true, // its own group, so that a terminal's Ctrl-C reaches us alone and we stop it in order
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const exited = new Promise<Awaited<EngineHandle['exited']>>((resolve, reject) => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
    child.once('error', reject) // it could not even be started
  })
  if (child.stderr) createInterface({ input: child.stderr }).on('line', log)
  const message = await Promise.race([firstMessage(child), exited])
  if (!('type' in message)) throw new Error(`The engine ended before it was ready (${message.signal ?? message.code})`)
  if (message.type === 'failed') throw new Error(message.reason)
  if (child.pid === undefined) throw new Error('The engine has no process id')
  return {
    socketPath,
    pid: child.pid,
    build: message.build,
    version: message.version,
    exited,
    stop: async () => {
      child.kill('SIGTERM')
      await exited
    },
  }
}

function firstMessage(child: ChildProcess): Promise<EngineMessage> {
  return new Promise(resolve => {
    child.once('message', message => resolve(message as EngineMessage)) // our own code at the other end
  })
}
