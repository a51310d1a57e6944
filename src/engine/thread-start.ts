import type { HostDescriptors } from './host-descriptors.ts'

/** What a thread of the engine must know before it begins; Emscripten's own message comes later and has no place for it. */
export type ThreadStart = { moduleUrl: string; descriptors: HostDescriptors }
export const threadStartKey = 'hydrant-engine-thread'
