import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { pingChild } from '#lib/ping-child.ts'
import { readCounts } from '#lib/push-counts.ts'
import type { TurnCounts } from '#lib/turns.ts'
import type { Child } from './keep-alive.ts'
import type { MemoryPlan } from './memory-plan.ts'
import { isTailRequest, type TailRelay } from './tail-relay.ts'

const entry = fileURLToPath(new URL('../web/web-process.ts', import.meta.url))
const killAfterMs = 5_000 // web itself drains for 3 s

/** With a young generation of 2 MB, garbage collection took a fifth of an issue page's time. */
const flags = ['--max-semi-space-size=8', '--disable-warning=ExperimentalWarning']
/** By default V8 collects a heap with such a small limit each time it has grown by 40 %: every two seconds, for 100 ms, while pages are read. */
const heapGrowth = '--heap-growing-percent=100'

/** Starts the web child and resolves when it listens on its socket. */
export async function startWeb(
  socketPath: string,
  env: NodeJS.ProcessEnv,
  memory: Pick<MemoryPlan, 'webHeapMb' | 'isTight'>,
  { tail, onReads }: { tail: TailRelay; onReads(counts: TurnCounts): void },
): Promise<Child> {
  const child = fork(entry, [socketPath], {
    execArgv: [...flags, `--max-old-space-size=${memory.webHeapMb}`, ...(memory.isTight ? [] : [heapGrowth])],
    env,
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>(resolve => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
  const first = await Promise.race([
    new Promise<'ready'>(resolve => child.once('message', () => resolve('ready'))),
    exited,
  ])
  if (first !== 'ready' || child.pid === undefined)
    throw new Error(`web ended before it was ready (${JSON.stringify(first)})`)
  tail.connectWeb(message => {
    if (child.connected) child.send(message)
  })
  child.on('message', message => {
    if (isTailRequest(message)) tail.fromWeb(message)
    const counts = readCounts<TurnCounts>('reads', message)
    if (counts !== null) onReads(counts)
  })
  return {
    pid: child.pid,
    exited,
    ping: () => pingChild(child),
    stop: async () => {
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), killAfterMs)
      await exited
      clearTimeout(timer)
    },
  }
}
