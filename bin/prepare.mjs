/**
 * Plain JavaScript for whatever Node the machine has (20 or newer), without dependencies: installs what is missing, builds what is
 * stale, and says what it is doing. When everything is in place it takes some tens of milliseconds.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureEngine } from './ensure-engine.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const binFolder = join(root, 'node_modules', '.bin')
/**
 * What npm start sets in package.json, for whatever else starts Hydrant. Scripts once compiled are kept: a second start then takes
 * little more than half the time. And memory of a megabyte or more goes back to the machine when it is freed: glibc would keep up to
 * 32 MB of each size for the next who asks.
 */
export const runEnv = {
  NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'hydrant'),
  MALLOC_MMAP_THRESHOLD_: '1048576',
}
const installStamp = join(root, 'node_modules', '.hydrant-install')
const engineStamp = join(root, 'node_modules', '.hydrant-engine')
const buildStamp = join(root, '.next', '.hydrant-build')
const codeStamp = join(root, '.engine', 'code', '.hydrant-code')

/** What the pages are built from. A change anywhere else needs no build: Node runs the TypeScript as it is. */
const builtFrom = [
  'src',
  'next.config.ts',
  'postcss.config.mjs',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.next.json',
]

/** `build` is what has to be made of it: the pages, and the engine's machine code. Whoever has more to do meanwhile asks for the latter by itself. */
export async function prepare({ build = true, compile = build, dev = false, quiet = false } = {}) {
  const say = sentence => quiet || process.stdout.write(`${sentence}\n`)
  refuseOldNode()
  await ensureInstalled({ dev, say })
  if (isEmbedded() && !isEngineKnown())
    writeFileSync(engineStamp, `${lockDigest()} ${await ensureEngine({ root, say })}`)
  await Promise.all([build && ensureBuilt({ say }), compile && ensureCompiled({ say })])
}

const isEmbedded = () => !process.env.CLICKHOUSE_URL

function refuseOldNode() {
  const major = Number(process.versions.node.split('.')[0])
  if (major >= 20) return
  process.stderr.write(`Hydrant needs Node 20 or newer to install itself; this is ${process.versions.node}.\n`)
  process.exit(1)
}

async function ensureInstalled({ dev, say }) {
  const lock = lockDigest()
  const wanted = [`${lock} all`, ...(dev ? [] : [`${lock} product`])]
  if (existsSync(join(binFolder, 'node')) && wanted.includes(readStamp(installStamp))) return
  say(`Installing ${dev ? 'what Hydrant and its tests need' : 'what Hydrant needs'} (a minute or two, once).`)
  // Not `npm ci`: it refuses a lock file that lacks a platform's optional package, and not every registry carries them all.
  // The versions are the lock file's all the same, and --no-save leaves it as it is.
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

/** Trying the native library means loading it, which takes longer than the rest of a start: once per installation is enough. */
function isEngineKnown() {
  const [lock, build] = readStamp(engineStamp).split(' ')
  if (lock !== lockDigest()) return false
  return build === 'native' || existsSync(join(root, '.engine', 'node_modules', 'chdb-wasm'))
}

/** What the portable engine's machine code depends on, beside the processor. */
const compiledFrom = ['package-lock.json', 'bin/ensure-engine.mjs', 'src/engine/engine-flags.ts']

/** Only the portable engine has to be compiled; where that fails it compiles itself while it runs, each time anew. */
export async function ensureCompiled({ say }) {
  if (!isEmbedded() || readStamp(engineStamp).endsWith(' native')) return
  const sources = digestFiles(compiledFrom)
  if (readStamp(codeStamp) === sources) return
  say('Compiling the embedded database for this machine (a minute or two, once).')
  const program = join(root, 'src', 'cli', 'hydrant.ts')
  const isCompiled = await attempt(join(binFolder, 'node'), [program, 'compile'], 'Compiling', say)
  if (isCompiled) writeFileSync(codeStamp, sources)
  else say('  The embedded database was not compiled: it works all the same, slower and with more memory.')
}

async function ensureBuilt({ say }) {
  const sources = digestFiles(builtFrom)
  if (readStamp(buildStamp) === sources && existsSync(join(root, '.next', 'BUILD_ID'))) return
  say('Building the pages (about a minute, after each update).')
  await run(
    join(binFolder, 'node'),
    [join(root, 'node_modules', 'next', 'dist', 'bin', 'next'), 'build'],
    'Building',
    say,
  )
  mkdirSync(dirname(buildStamp), { recursive: true })
  writeFileSync(buildStamp, sources)
}

/** Names, sizes and contents; tests do not count. */
function digestFiles(names) {
  const hash = createHash('sha256')
  for (const path of names.flatMap(name => listFiles(join(root, name)))) {
    if (/\.test\.tsx?$/.test(path)) continue
    hash.update(path.slice(root.length)).update('\0').update(readFileSync(path)).update('\0')
  }
  return hash.digest('hex')
}

function listFiles(path) {
  if (!existsSync(path)) return []
  if (statSync(path).isFile()) return [path]
  return readdirSync(path, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(entry => (entry.isDirectory() ? listFiles(join(path, entry.name)) : [join(path, entry.name)]))
}

const readStamp = path => (existsSync(path) ? readFileSync(path, 'utf8') : '')

/** A step without which nothing goes on. */
async function run(command, args, label, say) {
  if (!(await attempt(command, args, label, say))) process.exit(1)
}

/** Runs a step with a sign of life; its own words are shown only when it fails. */
async function attempt(command, args, label, say) {
  const begun = Date.now()
  const ticker = setInterval(() => say(`  ${label}… ${Math.round((Date.now() - begun) / 1000)} s`), 15_000)
  const words = []
  // npm must not run on the Node that it is about to replace.
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter(folder => command !== 'npm' || folder !== binFolder)
    .join(delimiter)
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, PATH: path, NEXT_TELEMETRY_DISABLED: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child.stdout.on('data', chunk => words.push(chunk))
  child.stderr.on('data', chunk => words.push(chunk))
  const code = await new Promise(resolve => {
    child.on('error', error => {
      words.push(Buffer.from(error.message))
      resolve(1)
    })
    child.on('close', resolve)
  })
  clearInterval(ticker)
  if (code === 0) say(`  ${label} took ${Math.round((Date.now() - begun) / 1000)} s`)
  if (code === 0) return true
  process.stderr.write(
    `${Buffer.concat(words).toString()}\n${label} failed (${command} ${args.slice(0, 2).join(' ')}). The words above say why.\n`,
  )
  return false
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await prepare()
