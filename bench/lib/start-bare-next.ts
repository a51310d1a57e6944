import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort, root, until } from '../../test/start-hydrant.ts'

export type BareNext = { url: string; stop(): Promise<void> }

/** Builds the smallest app there is and serves it as Next does by itself. */
export async function startBareNext(): Promise<BareNext> {
  const app = join(root, 'bench/bare-next')
  const next = join(root, 'node_modules/next/dist/bin/next')
  const env = { ...process.env, NODE_ENV: 'production' as const, NEXT_TELEMETRY_DISABLED: '1' }
  await promisify(execFile)(process.execPath, [next, 'build', app], { cwd: root, env })
  const port = await freePort()
  const args = [next, 'start', app, '--port', String(port), '--hostname', '127.0.0.1']
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`The bare Next app ended with ${child.exitCode}.`)
    return (await fetch(url).catch(() => null))?.ok === true
  })
  return {
    url,
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}
