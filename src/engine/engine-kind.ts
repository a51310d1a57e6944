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

/** Into how many statements the reads of one page are joined. */
export const readsAtOnce: Record<EngineKind, number> = { native: 3, wasm: 1, server: 3 }

type ReadSlots = { total: number; perOrganization: number; perMember: number }

/**
 * How many reads of pages and the API run side by side. A member cannot take all slots of an organization, nor an organization all slots.
 * The WebAssembly build runs one statement at a time; a second one is sent ahead, so that it does not wait for web.
 */
export const readSlots: Record<EngineKind, ReadSlots> = {
  native: { total: 5, perOrganization: 4, perMember: 3 },
  wasm: { total: 2, perOrganization: 2, perMember: 2 },
  server: { total: 10, perOrganization: 8, perMember: 6 },
}

/** One more than web uses, for reads of digest and jobs. */
export const engineReadSlots: Record<EngineBuild, number> = { native: readSlots.native.total + 1, wasm: 1 }
