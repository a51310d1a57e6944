import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { EngineBuild } from './engine-driver.ts'

/** `server`: an external ClickHouse. */
export type EngineKind = EngineBuild | 'server'

/** Decided without loading the engine: the WebAssembly build is only installed where no native library loads. */
export function engineKindHere(root: string, clickhouseUrl: string | undefined): EngineKind {
  if (clickhouseUrl !== undefined) return 'server'
  return existsSync(join(root, '.engine', 'node_modules', 'chdb-wasm', 'dist', 'chdb.wasm')) ? 'wasm' : 'native'
}

/** How many reads run side by side. */
export const readsAtOnce: Record<EngineKind, number> = { native: 3, wasm: 1, server: 3 }
