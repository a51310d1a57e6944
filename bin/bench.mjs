/**
 * Plain JavaScript for whatever Node the machine has: runs each file of bench/ in turn as a process of its own.
 *   npm run bench                 everything
 *   npm run bench -- ingest       one of them; what follows is passed on
 * Ends with 1 when a promise is missed.
 */
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureEngine } from './ensure-engine.mjs'
import { prepare, runEnv } from './prepare.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const known = readdirSync(join(root, 'bench'))
  .filter(name => name.endsWith('.ts'))
  .map(name => name.slice(0, -3))
  .sort()
/** The others leave the pages out. */
const needsPages = new Set([
  'interactions',
  'logs',
  'memory',
  'neighbors',
  'pages',
  'replay',
  'routes',
  'start',
  'traces',
])
const args = process.argv.slice(2)
const wanted = args[0] && !args[0].startsWith('-') ? [args.shift()] : known
const unknown = wanted.filter(name => !known.includes(name))
if (unknown.length > 0) {
  process.stderr.write(`There is no bench called ${unknown.join(', ')}; there are ${known.join(', ')}.\n`)
  process.exit(2)
}

await prepare({ build: wanted.some(name => needsPages.has(name)) })
const engine = process.env.CLICKHOUSE_URL ? 'server' : await ensureEngine({ root, say: () => {} })
process.stdout.write(`engine: ${engine}, ${process.platform}-${process.arch}, ${availableParallelism()} cores\n`)

let missed = 0
for (const name of wanted) {
  process.stdout.write(`\n${name}\n`)
  if ((await run(join(root, 'bench', `${name}.ts`))) !== 0) missed += 1
}
process.exitCode = missed === 0 ? 0 : 1

function run(path) {
  const node = join(root, 'node_modules', '.bin', 'node')
  // As npm start does, and with the patience of a full run of tests.
  const env = { ...process.env, ...runEnv, CI: process.env.CI ?? 'true' }
  const child = spawn(node, ['--disable-warning=ExperimentalWarning', path, ...args], { stdio: 'inherit', env })
  return new Promise(resolve => {
    child.on('error', error => {
      process.stderr.write(`${error.message}\n`)
      resolve(1)
    })
    child.on('exit', code => resolve(code ?? 1))
  })
}
