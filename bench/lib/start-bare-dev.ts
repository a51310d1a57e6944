import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, root, until } from '../../test/start-hydrant.ts'
import { waitAtLeast } from '../../test/wait-limits.ts'
import type { BareNext } from './start-bare-next.ts'

export type BareDev = BareNext & {
  /** Writes the file of the app with one change. */
  edit(file: string, from: string, to: string): void
}

const startLimitMs = 60_000

/** Next's own dev server for a copy of the smallest app there is. */
export async function startBareDev(): Promise<BareDev> {
  const app = join(root, 'bench/bare-next')
  const parent = join(root, 'test/.tmp')
  mkdirSync(parent, { recursive: true })
  const folder = mkdtempSync(join(parent, 'bare-'))
  cpSync(app, folder, { recursive: true, filter: path => path !== join(app, '.next') })
  const port = await freePort()
  const next = join(root, 'node_modules/next/dist/bin/next')
  const child = spawn(process.execPath, [next, 'dev', folder, '--port', String(port), '--hostname', '127.0.0.1'], {
    cwd: folder,
    env: { ...process.env, NODE_ENV: 'development', NEXT_TELEMETRY_DISABLED: '1' },
    stdio: 'ignore',
  })
  const url = `http://127.0.0.1:${port}`
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`The dev server of the bare app ended with ${child.exitCode}.`)
    return (await fetch(url).catch(() => null))?.ok === true
  }, waitAtLeast(startLimitMs))
  return {
    url,
    edit: (file, from, to) =>
      writeFileSync(join(folder, file), readFileSync(join(app, file), 'utf8').replace(from, to)),
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
