import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { ChdbPackage } from './native-driver.ts'

type LocatedEngine =
  | { kind: 'native'; chdb: ChdbPackage }
  | { kind: 'wasm'; packagePath: string }
  | { kind: 'missing'; reason: string }

/** Where the launcher installs an engine that the project's own dependencies could not bring. */
const engineFolderName = '.engine'

function loadNative(from: string): ChdbPackage | string {
  try {
    return createRequire(join(from, 'package.json'))('chdb')
  } catch (error) {
    return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
  }
}

/** The native library where it loads, since it is many times faster; the WebAssembly build everywhere else. */
export function locateEngine(root: string): LocatedEngine {
  const engineFolder = join(root, engineFolderName)
  const own = loadNative(root)
  if (typeof own !== 'string') return { kind: 'native', chdb: own }
  const installed = loadNative(engineFolder)
  if (typeof installed !== 'string') return { kind: 'native', chdb: installed }
  const packagePath = join(engineFolder, 'node_modules', 'chdb-wasm')
  if (existsSync(join(packagePath, 'dist/chdb.wasm'))) return { kind: 'wasm', packagePath }
  return {
    kind: 'missing',
    reason: `No embedded ClickHouse engine is installed for ${process.platform}-${process.arch} (${own}). Run npm start to install one, or set CLICKHOUSE_URL to a ClickHouse server.`,
  }
}
