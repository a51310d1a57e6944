#!/usr/bin/env node
/**
 * Runs on the Node of the machine (20 or newer), so it is plain JavaScript: installs what is missing, then starts
 * src/cli with the project's own Node.
 */
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { prepare, runEnv } from './prepare.mjs'
import { runProgram } from './run-program.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const args = process.argv.slice(2)
const isStart = ['start', 'demo'].includes(args[0]) && !args.includes('--help') && !args.includes('-h')

await prepare({ build: isStart, quiet: !isStart })

runProgram(join(root, 'node_modules', '.bin', 'node'), [join(root, 'src', 'cli', 'hydrant.ts'), ...args], {
  ...process.env,
  ...runEnv,
})
