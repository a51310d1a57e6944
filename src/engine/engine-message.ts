import type { EngineBuild } from './engine-driver.ts'

/** What the engine's process tells its parent: once how its start went, and once for each request. */
export type EngineMessage =
  | { type: 'ready'; build: EngineBuild; version: string }
  | { type: 'failed'; reason: string }
  | { type: 'saved' }

/** What the parent asks, while no statement runs. */
export type EngineRequest = 'save-code'
