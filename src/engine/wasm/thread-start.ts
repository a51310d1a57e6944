import type { DirectFiles } from './direct-files.ts'

/** What a thread of the engine must know before it begins; Emscripten's own message comes later and has no place for it. */
export type ThreadStart = { moduleUrl: string; files: DirectFiles }
export const threadStartKey = 'hydrant-engine-thread'
