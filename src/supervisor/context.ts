import type { Logger } from 'pino'
import type { Config } from '#config.ts'
import type { PrometheusRegistry } from '#lib/prometheus.ts'
import type { HydrantMetrics } from '#metrics.ts'
import type { DataPaths } from './data-folder.ts'
import type { Child, KeptChild } from './keep-alive.ts'
import type { MemoryPlan } from './memory-plan.ts'
import type { OpenPort } from './open-port.ts'
import type { greet } from './start-messages.ts'
import type { TailRelay } from './tail-relay.ts'

/** What `run-main.ts` has set up when it calls `serve`. */
export type SupervisorContext = {
  config: Config
  paths: DataPaths
  memory: MemoryPlan
  log: Logger
  registry: PrometheusRegistry
  metrics: HydrantMetrics
  web: KeptChild<Child> | null
  engine: KeptChild<Child> | null
  tail: TailRelay
  releaseFolder(): Promise<void>
  openPort: OpenPort
  /** Instead of the usual words about where to go. */
  greet?: typeof greet
  /** How long a stop may take for records that are not digested yet. */
  drainMs?: number
  /** Called once events are accepted. Later failures are not start failures. */
  onAccepting(): void
}
