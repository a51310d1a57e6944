/**
 * Installs what is missing and builds what is stale. Plain JavaScript without dependencies, since it runs on the Node of the machine
 * (20 or newer). Takes some tens of milliseconds if there is nothing to do.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureEngine } from './ensure-engine.mjs'
import { digestPageSources, digestTexts } from './page-sources.mjs'
import { runTimed } from './run-timed.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const binFolder = join(root, 'node_modules', '.bin')
/**
 * The same as npm start sets in package.json. The compile cache nearly halves the time of later starts. The malloc threshold returns
 * freed blocks of a megabyte or more to the machine; glibc would otherwise keep blocks of up to 32 MB.
 */
export const runEnv = {
  NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'hydrant'),
  MALLOC_MMAP_THRESHOLD_: '1048576',
}
const installStamp = join(root, 'node_modules', '.hydrant-install')
const engineStamp = join(root, 'node_modules', '.hydrant-engine')
const buildStamp = join(root, '.next', '.hydrant-build')
const codeStamp = join(root, '.engine', 'code', '.hydrant-code')

/** `build` builds the pages and compiles the engine; `compile` alone controls the latter. Without `engine` it skips the engine. */
export async function prepare({ build = true, engine = true, compile = build, dev = false, quiet = false } = {}) {
  const say = sentence => quiet || process.stdout.write(`${sentence}\n`)
  refuseOldNode()
  await ensureInstalled({ dev, say })
  if (engine && isEmbedded() && !isEngineKnown())
    writeFileSync(engineStamp, `${lockDigest()} ${await ensureEngine({ root, say })}`)
  await Promise.all([build && ensureBuilt({ say }), compile && ensureCompiled({ say })])
}

const isEmbedded = () => !process.env.CLICKHOUSE_URL

function refuseOldNode() {
  const major = Number(process.versions.node.split('.')[0])
  if (major >= 20) return
  process.stderr.write(
    `Hydrant needs Node 20 or newer, but this is ${process.versions.node}. Install a newer version and try again.\n`,
  )
  process.exit(1)
}

async function ensureInstalled({ dev, say }) {
  const lock = lockDigest()
  const wanted = [`${lock} all`, ...(dev ? [] : [`${lock} product`])]
  if (existsSync(join(binFolder, 'node')) && wanted.includes(readStamp(installStamp))) return
  say(`Installing dependencies${dev ? ', including those of the tests' : ''} (a minute or two, once).`)
  // Not `npm ci`, which rejects a lock file without a platform's optional package, and not every registry has them all.
  // The versions still come from the lock file, and --no-save does not change it.
  await run(
    'npm',
    ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel', 'error', ...(dev ? [] : ['--omit', 'dev'])],
    'Installing',
    say,
  )
  writeFileSync(installStamp, wanted[0].replace(/all$/, dev ? 'all' : 'product'))
}

function lockDigest() {
  return createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
}

/** Loading the native library as a test takes longer than the rest of a start, so it is done once per installation. */
function isEngineKnown() {
  const [lock, build] = readStamp(engineStamp).split(' ')
  if (lock !== lockDigest()) return false
  return build === 'native' || existsSync(join(root, '.engine', 'node_modules', 'chdb-wasm'))
}

/** What the machine code of the WebAssembly build depends on, besides the processor. */
const compiledFrom = ['package-lock.json', 'bin/ensure-engine.mjs', 'src/engine/engine-flags.ts']

/** Only the WebAssembly build has to be compiled. If that fails, V8 compiles it at run time, in every process. */
export async function ensureCompiled({ say }) {
  if (!isEmbedded() || readStamp(engineStamp).endsWith(' native')) return
  const sources = digestTexts(
    root,
    new Map(compiledFrom.map(name => [join(root, name), readFileSync(join(root, name), 'utf8')])),
  )
  if (readStamp(codeStamp) === sources) return
  say('Compiling the embedded database for this machine (a minute or two, once).')
  const program = join(root, 'src', 'cli', 'hydrant.ts')
  const { isDone } = await attempt(join(binFolder, 'node'), [program, 'compile'], 'Compiling', say)
  if (isDone) writeFileSync(codeStamp, sources)
  else say('  Compiling failed. Hydrant works without it, but slower and with more memory.')
}

/** Resolves with the time of the build, or with null if the pages are as their sources say. */
export async function ensureBuilt({ say }) {
  const sources = digestPageSources(root)
  if (readStamp(buildStamp) === sources && existsSync(join(root, '.next', 'BUILD_ID'))) return null
  say('Building the pages (about a minute, after each update).')
  // To write the cache is a fifth of a build. The first one of an installation is often the only one, so it leaves none.
  const cache = existsSync(join(root, '.next', 'BUILD_ID')) ? 'on' : 'off'
  const time = await run(
    join(binFolder, 'node'),
    [join(root, 'node_modules', 'next', 'dist', 'bin', 'next'), 'build'],
    'Building',
    say,
    {
      HYDRANT_BUILD_CACHE: cache,
      // The salt of the names of server actions, so a tab's actions survive an update. Web encrypts with the installation's secret.
      NEXT_SERVER_ACTIONS_ENCRYPTION_KEY: Buffer.alloc(32, 'hydrant').toString('base64'),
    },
  )
  mkdirSync(dirname(buildStamp), { recursive: true })
  writeFileSync(buildStamp, sources)
  return time
}

const readStamp = path => (existsSync(path) ? readFileSync(path, 'utf8') : '')

/** Runs a required step. */
async function run(command, args, label, say, ownEnv = {}) {
  const { isDone, ...time } = await attempt(command, args, label, say, ownEnv)
  if (!isDone) process.exit(1)
  return time
}

/** Runs a step and prints progress. The output of the command is shown only if it fails. */
async function attempt(command, args, label, say, ownEnv = {}) {
  const startedAt = Date.now()
  const ticker = setInterval(() => say(`  ${label}… ${Math.round((Date.now() - startedAt) / 1000)} s`), 15_000)
  // npm must not run on the Node that it replaces.
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter(folder => command !== 'npm' || folder !== binFolder)
    .join(delimiter)
  const env = { ...process.env, PATH: path, NEXT_TELEMETRY_DISABLED: '1', ...ownEnv }
  const { code, words, wallMs, cpuMs } = await runTimed(command, args, { cwd: root, env, output: 'pipe' })
  clearInterval(ticker)
  if (code === 0) say(`  ${label} took ${Math.round(wallMs / 1000)} s`)
  else
    process.stderr.write(
      `${words}\n${label} failed (${command} ${args.slice(0, 2).join(' ')}). See the output above.\n`,
    )
  return { isDone: code === 0, wallMs, cpuMs }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await prepare()
