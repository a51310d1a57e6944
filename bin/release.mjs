#!/usr/bin/env node
/** `npm run release [folder]`: builds the pages and writes the packages for users into `release/`. */
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { prepare } from './prepare.mjs'
import { runProgram } from './run-program.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
await prepare({ engine: false, build: true, compile: false })
const program = join(root, 'bin', 'release', 'write-release.ts')
runProgram(join(root, 'node_modules', '.bin', 'node'), [program, ...process.argv.slice(2)], process.env)
