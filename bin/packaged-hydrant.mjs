#!/usr/bin/env node
/**
 * `hydrant` in a package: runs on the Node of the machine (20 or newer), and starts the commands with the Node that the package brings.
 * There is nothing to build. Only a machine without a native build of the embedded database downloads and compiles something, once.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureEngine } from './ensure-engine.mjs'
import { runProgram } from './run-program.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const [command = 'start', ...rest] = process.argv.slice(2)
const program = join(root, 'lib', 'cli', 'hydrant.js')
const env = {
  ...process.env,
  NODE_COMPILE_CACHE: join(root, '.cache'), // nearly halves the time of later starts
  MALLOC_MMAP_THRESHOLD_: '1048576', // glibc would otherwise keep freed blocks of up to 32 MB
}

if (Number(process.versions.node.split('.')[0]) < 20)
  fail(`Hydrant needs Node 20 or newer, but this is ${process.versions.node}.`)
const node = findNode()
const needsEngine = ['start', 'demo'].includes(command) && !rest.includes('--help') && !process.env.CLICKHOUSE_URL
if (needsEngine) await prepareEngine()
runProgram(node, [program, command, ...rest], env)

function findNode() {
  try {
    return join(dirname(createRequire(join(root, 'package.json')).resolve('node/package.json')), 'bin', 'node')
  } catch {
    return fail(`Hydrant's packages are not installed. Run npm install in ${root} and try again.`)
  }
}

async function prepareEngine() {
  const say = line => process.stderr.write(`${line}\n`)
  const kind = await ensureEngine({ root, say }).catch(error => fail(error.message))
  const stamp = join(root, '.engine', 'code', '.hydrant-code')
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  if (kind === 'native' || (existsSync(stamp) && readFileSync(stamp, 'utf8') === version)) return
  say('Compiling the embedded database for this machine (a minute or two, once).')
  const compiled = spawnSync(node, ['--disable-warning=ExperimentalWarning', program, 'compile'], {
    env,
    stdio: 'ignore',
  })
  if (compiled.status !== 0) return say('Compiling failed. Hydrant works without it, but slower and with more memory.')
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, version)
}

function fail(sentence) {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}
