import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { waitAtLeast } from '../wait-limits.ts'

export type RunningShop = { url: string; output: () => string; stop: () => Promise<void> }

type Options = {
  shopDir: string
  hydrantUrl: string
  dsn: string
  env?: Record<string, string>
  command?: string[]
  port?: number
}

const startLimitMs = 60_000

/** Starts the built shop, on a free port if none is given, and resolves when it serves. */
export async function startShop({
  shopDir,
  hydrantUrl,
  dsn,
  env,
  command = ['start.mjs'],
  port = 0,
}: Options): Promise<RunningShop> {
  const child = spawn(process.execPath, [...command, '--port', String(port), '--hostname', '127.0.0.1'], {
    cwd: shopDir,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      HYDRANT_URL: hydrantUrl,
      HYDRANT_DSN: dsn,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const killWithUs = () => child.kill('SIGKILL')
  process.once('exit', killWithUs)
  child.once('exit', () => process.off('exit', killWithUs))

  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    const fail = (why: string) => {
      child.kill('SIGKILL')
      reject(new Error(`The example shop did not start: ${why}\n${output}`))
    }
    const limitMs = waitAtLeast(startLimitMs)
    const timer = setTimeout(() => fail(`not ready after ${limitMs} ms`), limitMs)
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      const address = /Local:\s+(http:\S+)/.exec(output)?.[1]
      if (!address || !output.includes('Ready in')) return
      clearTimeout(timer)
      resolve(address)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', code => fail(`it exited with ${code}`))
  })

  async function stop(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), 5_000)
    await exited
    clearTimeout(timer)
  }
  return { url, output: () => output, stop }
}
