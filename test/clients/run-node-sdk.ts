import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

export type NodeSdkSent = {
  sdkVersion: string
  /** Envelope items by type, those of the two child processes included. */
  items: Record<string, number>
  events: { id: string; title: string; traceId?: string }[]
  spans: { id: string; name: string; isSegment: boolean }[]
  logs: string[]
  metrics: string[]
  checkIns: { id: string; slug: string; status: string }[]
  feedback: { id: string; message: string }[]
  attachments: string[]
  sessions: { id: string; status: string; errors: number }[]
}

const run = promisify(execFile)

/** Runs a real Node program with SDK 10 or 11 and gives what it sent, counted in the SDK's transport. */
export async function runNodeSdk({ version, dsn }: { version: 10 | 11; dsn: string }): Promise<NodeSdkSent> {
  const program = join(import.meta.dirname, `node-sdk-${version}.mjs`)
  const { stdout } = await run(process.execPath, [program, dsn])
  // The program prints this line itself as the last thing it does.
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as NodeSdkSent
}
