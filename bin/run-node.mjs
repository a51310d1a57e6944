/** Plain JavaScript for whatever Node the machine has. */
import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Runs a program with the project's own Node until it ends, and exits with its code. */
export function runNode(args, env = {}) {
  const child = spawn(join(root, 'node_modules', '.bin', 'node'), args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  process.on('SIGINT', () => undefined) // a terminal sends Ctrl-C to the program too
  child.on('error', error => {
    process.stderr.write(`Could not start Hydrant's Node: ${error.message}. Run npm install and try again.\n`)
    process.exitCode = 1
  })
  child.on('exit', code => {
    process.exitCode = code ?? 1
  })
}
