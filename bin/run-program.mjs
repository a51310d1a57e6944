import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/** Runs Hydrant's Node in the foreground: it gets the signals of this process, and this process ends as it does. */
export function runProgram(node, args, env) {
  followChild(spawn(node, ['--disable-warning=ExperimentalWarning', ...args], { stdio: 'inherit', env }))
}

/** Passes signals on, and ends as the child does. */
export function followChild(child) {
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  // A terminal sends Ctrl-C to both processes. Forwarding it would look like a second one, which stops immediately.
  process.on('SIGINT', () => {
    if (!process.stdin.isTTY) child.kill('SIGINT')
  })

  child.on('error', error => {
    process.stderr.write(`Could not start Hydrant's Node: ${error.message}. Run npm install and try again.\n`)
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + (constants.signals[signal ?? 'SIGTERM'] ?? 0)
  })
}
