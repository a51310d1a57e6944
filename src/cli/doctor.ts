import { randomBytes } from 'node:crypto'
import { existsSync, globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type Config, readConfig } from '#config.ts'
import { engineKindHere } from '#engine/engine-kind.ts'
import { locateEngine } from '#engine/native/locate-engine.ts'
import { readMemoryLimit } from '#lib/memory-limit.ts'
import { openBlobs } from '#store/blobs/open-blobs.ts'
import { openTelemetry } from '#store/telemetry/telemetry.ts'
import { describeShortage, minimumBytes, planMemory } from '#supervisor/memory-plan.ts'
import type { Command } from './command.ts'
import { type Check, fail, ok, reasonOf, warn } from './doctor/check.ts'
import { checkControl } from './doctor/check-control.ts'
import { checkCounters } from './doctor/check-counters.ts'
import { checkDataFolder } from './doctor/check-data-folder.ts'
import { checkMail } from './doctor/check-mail.ts'
import { checkServer } from './doctor/check-server.ts'
import { checkSourcemaps } from './doctor/check-sourcemaps.ts'
import { parseOptions } from './parse-options.ts'

const options = { json: { type: 'boolean' } } as const

export const doctor: Command = {
  help: `Usage: hydrant doctor [--json]
       hydrant doctor sourcemaps <folder> [--json]

Checks Node, settings, data folder, stores, engine, mail server, port and pages, and says how to fix each problem.
sourcemaps checks a build before you upload it: readable maps, matching debug ids, included sources.
Exits with 1 if a check fails.`,

  async run(args, terminal) {
    const folder = args[0] === 'sourcemaps' ? args[1] : undefined
    if (args[0] === 'sourcemaps' && (folder === undefined || folder.startsWith('-'))) {
      terminal.printError('Pass the output folder of your build: hydrant doctor sourcemaps .next')
      return 2
    }
    const parsed = parseOptions(folder === undefined ? args : args.slice(2), options)
    if (!parsed.ok) {
      terminal.printError(`${parsed.message} See hydrant doctor --help.`)
      return 2
    }
    const checks = folder === undefined ? await runChecks() : await checkSourcemaps(folder)
    if (parsed.values.json) terminal.print(JSON.stringify(checks))
    else for (const check of checks) terminal.print(printCheck(check))
    return checks.some(({ state }) => state === 'fail') ? 1 : 0
  },
}

/** With invalid settings the other checks would be meaningless. */
async function runChecks(): Promise<Check[]> {
  const node = checkNode(process.versions.node)
  const result = readConfig()
  if (result.ok) return [node, ok('settings', 'All settings are valid.'), ...(await checkStores(result.config))]
  return [
    node,
    ...result.faults.map(fault => fail('settings', fault, 'Correct the environment variable, or unset it.')),
  ]
}

async function checkStores(config: Config): Promise<Check[]> {
  return [
    ...(await checkDataFolder(config)),
    checkMemory(config),
    checkSecret(config),
    await checkControl(config),
    ...(await checkCounters(config)),
    await checkEngine(config),
    await checkBlobs(config),
    await checkMail(config),
    ...(await checkServer(config)),
    checkWebBuild(),
  ]
}

function printCheck({ name, state, sentence, fix }: Check): string {
  const line = `${state.padEnd(5)} ${name.padEnd(17)} ${sentence}`
  return fix === undefined ? line : `${line}\n${' '.repeat(24)}→ ${fix}`
}

const projectRoot = join(import.meta.dirname, '..', '..')
const minMajor = 24

/** On older versions the SQLite driver ends the process without a message. */
export function checkNode(version: string): Check {
  const major = Number(version.split('.')[0])
  if (major >= minMajor) return ok('node', `Node ${version}.`)
  return fail('node', `Node ${version} is older than ${minMajor}.`, 'Run npm run hydrant, which uses its own Node.')
}

const buildFix = 'Run npm start, which builds them.'

/** Compares modification times, which is fast; npm start compares contents. */
export function checkWebBuild(root = projectRoot): Check {
  const build = join(root, '.next', 'BUILD_ID')
  if (!existsSync(build)) return warn('pages', 'The pages have not been built yet.', buildFix)
  const builtAt = statSync(build).mtimeMs
  const newer = globSync('src/**/*.{ts,tsx,css}', { cwd: root }).filter(
    path => !/\.test\.tsx?$/.test(path) && statSync(join(root, path)).mtimeMs > builtAt,
  )
  if (newer.length === 0) return ok('pages', 'The pages are built and up to date.')
  return warn('pages', `${newer.length} source files are newer than the built pages.`, buildFix)
}

export function checkSecret({ secret, dataDir, databaseUrl }: Config): Check {
  if (secret !== undefined) return ok('secret', 'HYDRANT_SECRET is set.')
  const path = join(dataDir, 'secret')
  if (databaseUrl !== undefined) {
    const fix = 'Set HYDRANT_SECRET to the same value on every node.'
    return warn(
      'secret',
      'HYDRANT_SECRET is not set. With several nodes each would create its own secret, and sessions would not be shared.',
      fix,
    )
  }
  if (!existsSync(path)) return ok('secret', 'Not created yet. The first start creates it.')
  const isPrivate = (statSync(path).mode & 0o077) === 0
  if (isPrivate) return ok('secret', 'The secret is in the data folder and readable only by its owner.')
  return warn('secret', 'Other users of this machine can read the secret.', `Run chmod 600 ${path}`)
}

const inMiB = (bytes: number): string => `${Math.floor(bytes / (1024 * 1024))} MiB`

export function checkMemory({ clickhouseUrl }: Config): Check {
  const limit = readMemoryLimit()
  const kind = engineKindHere(projectRoot, clickhouseUrl)
  const shortage = describeShortage(limit.bytes, kind)
  if (shortage !== null) return fail('memory', shortage, 'Hydrant does not start with less memory.')
  const source = limit.isFromCgroup ? 'the limit of its cgroup' : 'the memory of this machine'
  const sentence = `Hydrant can use ${inMiB(limit.bytes)} (${source}). It needs at least ${inMiB(minimumBytes[kind])}.`
  if (!planMemory(limit.bytes, kind).isTight) return ok('memory', sentence)
  return warn('memory', sentence, 'Below 2048 MiB Hydrant works in smaller batches. Raise the limit if load grows.')
}

/** Writes, reads and deletes a blob, since read access does not prove write access. */
export async function checkBlobs(config: Config): Promise<Check> {
  const day = new Date().toISOString().slice(0, 10)
  const store = config.blobsUrl === undefined ? 'The blob folder' : 'The S3 bucket'
  const bytes = randomBytes(32)
  const key = `doctor/${day}/1/${bytes.toString('hex')}`
  try {
    const blobs = openBlobs(config)
    await blobs.put(key, { kind: 'bytes', bytes })
    const stream = await blobs.read(key)
    const isSame = stream !== null && (await buffer(stream)).equals(bytes)
    await blobs.removeDay('doctor', day)
    if (isSame) return ok('blobs', `${store} can be written and read.`)
    return fail('blobs', `${store} returned different bytes than were written.`, 'Do not use this storage.')
  } catch (error) {
    return fail(
      'blobs',
      `${store} cannot be used: ${reasonOf(error)}.`,
      'Check HYDRANT_BLOBS_URL, or the permissions of the data folder.',
    )
  }
}

export async function checkEngine({ clickhouseUrl }: Config): Promise<Check> {
  return clickhouseUrl === undefined ? checkEmbedded() : checkClickHouse(clickhouseUrl)
}

function checkEmbedded(): Check {
  const engine = locateEngine(projectRoot)
  if (engine.kind === 'native') return ok('telemetry engine', 'The embedded engine is the native build.')
  if (engine.kind === 'missing')
    return fail('telemetry engine', engine.reason, 'Run npm start, which installs the engine, or set CLICKHOUSE_URL.')
  const fix = 'If load grows, set CLICKHOUSE_URL to a ClickHouse server.'
  return warn(
    'telemetry engine',
    'The embedded engine is the WebAssembly build, which is slower than the native one.',
    fix,
  )
}

async function checkClickHouse(url: string): Promise<Check> {
  const telemetry = openTelemetry({ kind: 'url', url })
  try {
    if (await telemetry.ping()) return ok('telemetry engine', 'The ClickHouse server responds.')
    return fail(
      'telemetry engine',
      'The ClickHouse server does not respond.',
      'Check CLICKHOUSE_URL, the server and the network.',
    )
  } finally {
    await telemetry.close()
  }
}
