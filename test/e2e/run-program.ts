/** Runs one of our programs and waits for its end. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { root } from '../start-hydrant.ts'

export type Ended = { code: number | null; stdout: string; stderr: string }

/** `runProgram('src/cli/hydrant.ts', ['init'], { HYDRANT_DATA_DIR })` */
export function runProgram(entry: string, args: string[], env: Record<string, string | undefined>): Promise<Ended> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', join(root, entry), ...args], {
    cwd: root,
    env: { ...process.env, ...env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', chunk => (stdout += chunk))
  child.stderr.on('data', chunk => (stderr += chunk))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', code => resolve({ code, stdout, stderr }))
  })
}
