import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { ChdbPackage } from './native-driver.ts'

type LocatedEngine =
  | { kind: 'native'; chdb: ChdbPackage }
  | { kind: 'wasm'; packagePath: string }
  | { kind: 'missing'; reason: string }

/** Where bin/ensure-engine.mjs installs an engine if the project's dependencies have none for this machine. */
const engineFolderName = '.engine'

function loadNative(from: string): ChdbPackage | string {
  try {
    return createRequire(join(from, 'package.json'))('chdb')
  } catch (error) {
    return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
  }
}

/** The native library if it loads, since it is many times faster; otherwise the WebAssembly build. */
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
    reason: `No embedded engine is installed for ${process.platform}-${process.arch} (${own}). Run npm start to install it, or set CLICKHOUSE_URL to a ClickHouse server.`,
  }
}
