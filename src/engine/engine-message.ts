import type { EngineBuild } from './engine-driver.ts'

/** What the engine's process tells its parent, once. */
export type EngineMessage = { type: 'ready'; build: EngineBuild; version: string } | { type: 'failed'; reason: string }
