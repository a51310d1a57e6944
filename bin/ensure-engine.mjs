import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const nativeVersion = '3.4.0'
const libraryVersion = '26.7.3-stable.1'
const wasmVersion = '0.4.0'

/** For an engine that is not among the project's dependencies; src/engine/native/locate-engine.ts reads it. */
const engineFolderName = '.engine'

/**
 * Installs the embedded engine unless there is one: the native library if it exists for this machine, otherwise the
 * WebAssembly build.
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
    say(`Downloading the embedded database for ${process.platform}-${process.arch} (about 150 MB, once).`)
    const isInstalled = await npmInstall(folder, [`chdb@${nativeVersion}`, `${library}@${libraryVersion}`])
    if (isInstalled && (await nativeLoads(folder, folder))) return 'native'
  }
  say(
    `No native database build for ${process.platform}-${process.arch}. Downloading the WebAssembly build (about 40 MB, once).`,
  )
  if (await npmInstall(folder, [`chdb-wasm@${wasmVersion}`])) return 'wasm'
  throw new Error(
    'Could not install the embedded database. Check that npm can reach its registry and start again, or set CLICKHOUSE_URL to a ClickHouse server.',
  )
}

/** Null if chDB has no native library: on Windows, and on Linux without glibc. */
function libraryName() {
  const { platform, arch } = process
  if (arch !== 'x64' && arch !== 'arm64') return null
  if (platform === 'darwin') return `@chdb/lib-darwin-${arch}`
  const isGlibc = platform === 'linux' && process.report?.getReport().header.glibcVersionRuntime !== undefined
  return isGlibc ? `@chdb/lib-linux-${arch}-gnu` : null
}

/**
 * Tries the library in a process of its own, since one that does not fit the machine may crash it. A stamp file records
 * success, so that later starts skip the test.
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
