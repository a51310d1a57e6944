#!/usr/bin/env node
/**
 * Runs on the Node of the machine (20 or newer), so it is plain JavaScript: installs what is missing, then starts
 * src/cli with the project's own Node.
 */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { prepare, runEnv } from './prepare.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const args = process.argv.slice(2)
const isStart = ['start', 'demo'].includes(args[0]) && !args.includes('--help') && !args.includes('-h')

await prepare({ build: isStart, quiet: !isStart })

const node = join(root, 'node_modules', '.bin', 'node')
const flags = ['--disable-warning=ExperimentalWarning', join(root, 'src', 'cli', 'hydrant.ts')]
const env = { ...process.env, ...runEnv }
const child = spawn(node, [...flags, ...args], { stdio: 'inherit', env })

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
  process.exitCode = code ?? 128 + (constants.signals[signal ?? 'SIGTERM'] ?? 0)
})
