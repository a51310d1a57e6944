import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { LoadPlan, LoadResult } from './load-plan.ts'

const flags = ['--disable-warning=ExperimentalWarning']

/** A process beside the server, so that the client's work is not taken for the server's. */
export async function runLoad(plan: LoadPlan): Promise<LoadResult> {
  const child = forkBeside('load-generator.ts')
  child.send(plan)
  const [result] = (await once(child, 'message')) as [LoadResult]
  child.disconnect()
  return result
}

export async function startSink(): Promise<{ port: number; pid: number; stop(): void }> {
  const child = forkBeside('bare-sink.ts')
  const [port] = (await once(child, 'message')) as [number]
  return { port, pid: child.pid ?? 0, stop: () => child.disconnect() }
}

const forkBeside = (file: string): ChildProcess =>
  fork(join(import.meta.dirname, file), { execArgv: flags, serialization: 'advanced', stdio: 'inherit' })
