import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const nativeVersion = '3.4.0'
const libraryVersion = '26.7.3-stable.1'
const wasmVersion = '0.4.0'

/** The folder for an engine that the project's own dependencies could not bring; src/engine/native/locate-engine.ts reads it. */
const engineFolderName = '.engine'

/**
 * Makes sure that an embedded engine is installed: the native library if there is one for this machine, else its
 * WebAssembly build. Looks only, and takes no time, when one is there already.
 */
export async function ensureEngine({ root, say }) {
  const folder = join(root, engineFolderName)
  if (await nativeLoads(root, folder)) return 'native'
  if (await nativeLoads(folder, folder)) return 'native'
  if (existsSync(join(folder, 'node_modules', 'chdb-wasm', 'dist', 'chdb.wasm'))) return 'wasm'

  mkdirSync(folder, { recursive: true })
  const manifest = join(folder, 'package.json')
  if (!existsSync(manifest)) writeFileSync(manifest, '{ "name": "hydrant-engine", "private": true }\n')

  const library = libraryName()
  if (library !== null) {
    say(`Fetching the embedded database for ${process.platform}-${process.arch} (about 150 MB, once).`)
    const isInstalled = await npmInstall(folder, [`chdb@${nativeVersion}`, `${library}@${libraryVersion}`])
    if (isInstalled && (await nativeLoads(folder, folder))) return 'native'
  }
  say(
    `Fetching the portable build of the embedded database, since there is no native one to be had (about 40 MB, once).`,
  )
  if (await npmInstall(folder, [`chdb-wasm@${wasmVersion}`])) return 'wasm'
  throw new Error(
    'No embedded database could be installed. Check that npm can reach its registry and start again, or set CLICKHOUSE_URL to a ClickHouse server.',
  )
}

/** Null where chDB has no native library: Windows, and Linux with another C library than glibc. */
function libraryName() {
  const { platform, arch } = process
  if (arch !== 'x64' && arch !== 'arm64') return null
  if (platform === 'darwin') return `@chdb/lib-darwin-${arch}`
  const isGlibc = platform === 'linux' && process.report?.getReport().header.glibcVersionRuntime !== undefined
  return isGlibc ? `@chdb/lib-linux-${arch}-gnu` : null
}

/**
 * Tried in a process of its own, since a library that does not fit the machine may take its process down. What loaded
 * once is remembered by name, so that later starts need not load it for nothing.
 */
async function nativeLoads(from, folder) {
  const manifest = join(from, 'package.json')
  const library = libraryName()
  if (library === null) return false
  let libraryPath
  try {
    libraryPath = createRequire(createRequire(manifest).resolve('chdb')).resolve(library)
  } catch {
    return false
  }
  const stampPath = join(folder, 'native-loads')
  const stamp = `${libraryPath} ${libraryVersion} ${process.arch}`
  if (existsSync(stampPath) && readFileSync(stampPath, 'utf8') === stamp) return true
  const script = `require('node:module').createRequire(${JSON.stringify(manifest)})('chdb')`
  if (!(await succeeds(spawn(process.execPath, ['-e', script], { stdio: 'ignore' })))) return false
  mkdirSync(folder, { recursive: true })
  writeFileSync(stampPath, stamp)
  return true
}

function npmInstall(folder, packages) {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const options = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel', 'error']
  return succeeds(spawn(npm, [...options, ...packages], { cwd: folder, stdio: 'ignore' }))
}

function succeeds(child) {
  return new Promise(resolve => {
    child.on('error', () => resolve(false))
    child.on('exit', code => resolve(code === 0))
  })
}
