import type { DirectFiles } from './direct-syscalls.ts'

/** Passed to each engine thread as environment data, since it is needed before Emscripten's own load message. */
export type ThreadStart = { moduleUrl: string; files: DirectFiles }
export const threadStartKey = 'hydrant-engine-thread'
