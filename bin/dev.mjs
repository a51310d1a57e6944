#!/usr/bin/env node
/**
 * `npm run dev`: runs on the Node of the machine (20 or newer), so it is plain JavaScript. Installs what is missing, then starts src/dev
 * with the project's own Node.
 */
import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { prepare, runEnv } from './prepare.mjs'
import { followChild } from './run-program.mjs'

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

followChild(child)
child.on('exit', () => clearInterval(watch))
