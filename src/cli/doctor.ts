import { randomBytes } from 'node:crypto'
import { existsSync, globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type Config, readConfig } from '#config.ts'
import { locateEngine } from '#engine/native/locate-engine.ts'
import { readMemoryLimit } from '#lib/memory-limit.ts'
import { openBlobs } from '#store/blobs/open-blobs.ts'
import { openTelemetry } from '#store/telemetry/telemetry.ts'
import { describeShortage, engineKindHere, minimumBytes, planMemory } from '#supervisor/memory-plan.ts'
import type { Command } from './command.ts'
import { type Check, fail, ok, reasonOf, warn } from './doctor/check.ts'
import { checkControl } from './doctor/check-control.ts'
import { checkCounters } from './doctor/check-counters.ts'
import { checkDataFolder } from './doctor/check-data-folder.ts'
import { checkServer } from './doctor/check-server.ts'
import { checkSourcemaps } from './doctor/check-sourcemaps.ts'
import { parseOptions } from './parse-options.ts'

const options = { json: { type: 'boolean' } } as const

export const doctor: Command = {
  help: `Usage: hydrant doctor [--json]
       hydrant doctor sourcemaps <folder> [--json]

Checks Node, settings, data folder, stores, engine, port and pages, and says what to do about each fault.
sourcemaps looks at a build before it is uploaded: maps that are there and can be read, debug ids in pairs, sources.
Exits with 1 if something fails.`,

  async run(args, terminal) {
    const folder = args[0] === 'sourcemaps' ? args[1] : undefined
    if (args[0] === 'sourcemaps' && (folder === undefined || folder.startsWith('-'))) {
      terminal.complain('Name the folder that the build writes: hydrant doctor sourcemaps .next')
      return 2
    }
    const parsed = parseOptions(folder === undefined ? args : args.slice(2), options)
    if (!parsed.ok) {
      terminal.complain(`${parsed.message} See hydrant doctor --help.`)
      return 2
    }
    const checks = folder === undefined ? await examine() : await checkSourcemaps(folder)
    if (parsed.values.json) terminal.print(JSON.stringify(checks))
    else for (const check of checks) terminal.print(draw(check))
    return checks.some(({ state }) => state === 'fail') ? 1 : 0
  },
}

/** Without settings that make sense nothing else can be looked at. */
async function examine(): Promise<Check[]> {
  const node = checkNode(process.versions.node)
  const result = readConfig()
  if (result.ok) return [node, ok('settings', 'Every setting makes sense.'), ...(await examineStores(result.config))]
  return [
    node,
    ...result.faults.map(fault => fail('settings', fault, 'Change it in the environment, or leave it out.')),
  ]
}

async function examineStores(config: Config): Promise<Check[]> {
  return [
    ...(await checkDataFolder(config)),
    checkMemory(config),
    checkSecret(config),
    await checkControl(config),
    ...(await checkCounters(config)),
    await checkEngine(config),
    await checkBlobs(config),
    ...(await checkServer(config)),
    checkWebBuild(),
  ]
}

function draw({ name, state, sentence, fix }: Check): string {
  const line = `${state.padEnd(5)} ${name.padEnd(17)} ${sentence}`
  return fix === undefined ? line : `${line}\n${' '.repeat(24)}→ ${fix}`
}

const projectRoot = join(import.meta.dirname, '..', '..')
const wantedMajor = 24

/** The database driver has no build for older ones and ends the process without a word. */
export function checkNode(version: string): Check {
  const major = Number(version.split('.')[0])
  if (major >= wantedMajor) return ok('node', `Node ${version}.`)
  return fail(
    'node',
    `Node ${version} is older than ${wantedMajor}.`,
    'Use npm run hydrant, which brings its own Node.',
  )
}

const buildFix = 'npm start builds them.'

/** By modification times, which is quick; npm start itself compares contents. */
export function checkWebBuild(root = projectRoot): Check {
  const build = join(root, '.next', 'BUILD_ID')
  if (!existsSync(build)) return warn('pages', 'The pages have not been built yet.', buildFix)
  const builtAt = statSync(build).mtimeMs
  const newer = globSync('src/**/*.{ts,tsx,css}', { cwd: root }).filter(
    path => !/\.test\.tsx?$/.test(path) && statSync(join(root, path)).mtimeMs > builtAt,
  )
  if (newer.length === 0) return ok('pages', 'The pages are built from the present sources.')
  return warn('pages', `${newer.length} source files are newer than the built pages.`, buildFix)
}

export function checkSecret({ secret, dataDir, databaseUrl }: Config): Check {
  if (secret !== undefined) return ok('secret', 'HYDRANT_SECRET is set.')
  const path = join(dataDir, 'secret')
  if (databaseUrl !== undefined) {
    const fix = 'Set HYDRANT_SECRET to the same value on every node.'
    return warn(
      'secret',
      'With PostgreSQL several nodes may share sessions, and each would make a secret of its own.',
      fix,
    )
  }
  if (!existsSync(path)) return ok('secret', 'There is none yet; the first start makes it.')
  const isPrivate = (statSync(path).mode & 0o077) === 0
  if (isPrivate) return ok('secret', 'It is in the data folder, readable by its owner only.')
  return warn('secret', 'Others on this machine can read it.', `chmod 600 ${path}`)
}

const inMiB = (bytes: number): string => `${Math.floor(bytes / (1024 * 1024))} MiB`

export function checkMemory({ clickhouseUrl }: Config): Check {
  const limit = readMemoryLimit()
  const kind = engineKindHere(projectRoot, clickhouseUrl)
  const shortage = describeShortage(limit.bytes, kind)
  if (shortage !== null) return fail('memory', shortage, 'Hydrant does not start with less.')
  const source = limit.isFromCgroup ? 'the limit of its control group' : 'what the machine has'
  const sentence = `Hydrant may use ${inMiB(limit.bytes)}, ${source}; it needs at least ${inMiB(minimumBytes[kind])}.`
  if (!planMemory(limit.bytes, kind).isTight) return ok('memory', sentence)
  return warn('memory', sentence, 'It works in smaller batches below 2048 MiB. Where load grows, give it more.')
}

/** Writes, reads and removes one: rights to read do not prove rights to write. */
export async function checkBlobs(config: Config): Promise<Check> {
  const day = new Date().toISOString().slice(0, 10)
  const place = config.blobsUrl === undefined ? 'The folder' : 'The S3 store'
  const bytes = randomBytes(32)
  const key = `doctor/${day}/1/${bytes.toString('hex')}`
  try {
    const blobs = openBlobs(config)
    await blobs.put(key, { kind: 'bytes', bytes })
    const stream = await blobs.read(key)
    const isSame = stream !== null && (await buffer(stream)).equals(bytes)
    await blobs.removeDay('doctor', day)
    if (isSame) return ok('blobs', `${place} takes and gives back what is put into it.`)
    return fail('blobs', `${place} gave back something else than was put into it.`, 'Do not use this store.')
  } catch (error) {
    return fail(
      'blobs',
      `${place} refused: ${reasonOf(error)}.`,
      'Check HYDRANT_BLOBS_URL, or the rights to the data folder.',
    )
  }
}

export async function checkEngine({ clickhouseUrl }: Config): Promise<Check> {
  return clickhouseUrl === undefined ? checkEmbedded() : checkClickHouse(clickhouseUrl)
}

function checkEmbedded(): Check {
  const engine = locateEngine(projectRoot)
  if (engine.kind === 'native') return ok('telemetry engine', 'The embedded engine is installed as a native library.')
  if (engine.kind === 'missing')
    return fail('telemetry engine', engine.reason, 'Run npm start, which installs one, or set CLICKHOUSE_URL.')
  const fix = 'Where load grows, set CLICKHOUSE_URL to a ClickHouse server.'
  return warn(
    'telemetry engine',
    'The embedded engine is the WebAssembly build, which is slower than the native library.',
    fix,
  )
}

async function checkClickHouse(url: string): Promise<Check> {
  const telemetry = openTelemetry({ kind: 'url', url })
  try {
    if (await telemetry.ping()) return ok('telemetry engine', 'The ClickHouse server answers.')
    return fail(
      'telemetry engine',
      'The ClickHouse server does not answer.',
      'Check CLICKHOUSE_URL, the server and the way to it.',
    )
  } finally {
    await telemetry.close()
  }
}
