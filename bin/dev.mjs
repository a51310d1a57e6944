#!/usr/bin/env node
/**
 * `npm run dev`: runs on the Node of the machine (20 or newer), so it is plain JavaScript. Installs what is missing, then starts src/dev
 * with the project's own Node.
 */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { prepare, runEnv } from './prepare.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const parent = process.ppid

await prepare({ build: false, compile: true, dev: true, quiet: false })

const env = {
  HYDRANT_HOST: '127.0.0.1',
  ...process.env,
  ...runEnv,
  NODE_ENV: 'development',
  HYDRANT_DATA_DIR: join(root, 'data-dev'),
}
const flags = ['--disable-warning=ExperimentalWarning', join(root, 'src', 'dev', 'dev.ts')]
const child = spawn(join(root, 'node_modules', '.bin', 'node'), [...flags, ...process.argv.slice(2)], {
  cwd: root,
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'], // it ends when the channel closes
  env,
})

// npm, a terminal or an editor that is killed sends no signal, but its children get another parent.
const watch = setInterval(() => {
  if (process.ppid === parent) return
  clearInterval(watch)
  child.kill('SIGTERM')
}, 500)

for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
// A terminal sends Ctrl-C to both processes. Forwarding it would look like a second one, which stops at once.
process.on('SIGINT', () => {
  if (!process.stdin.isTTY) child.kill('SIGINT')
})

child.on('error', error => {
  process.stderr.write(`Could not start Hydrant's Node: ${error.message}. Run npm install and try again.\n`)
  process.exitCode = 1
})
child.on('exit', (code, signal) => {
  clearInterval(watch)
  process.exitCode = code ?? 128 + (constants.signals[signal ?? 'SIGTERM'] ?? 0)
})
