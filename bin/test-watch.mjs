#!/usr/bin/env node
/** `npm run test:watch [path]`: runs the tests below a path again after each edit of what they import; without one, the unit tests. */
import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { prepare, runEnv } from './prepare.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const args = process.argv.slice(2)
const isUnit = args.every(arg => arg.startsWith('-'))

await prepare({ build: false, compile: !isUnit, dev: true })

const vitest = [
  join(root, 'node_modules', 'vitest', 'vitest.mjs'),
  'watch',
  ...(isUnit ? ['--project', 'unit'] : []),
  ...args,
]
const child = spawn(join(root, 'node_modules', '.bin', 'node'), vitest, {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, ...runEnv },
})
child.on('exit', code => {
  process.exitCode = code ?? 1
})
process.on('SIGINT', () => undefined) // the terminal sends it to Vitest, which ends what it started
process.on('SIGTERM', () => child.kill())
