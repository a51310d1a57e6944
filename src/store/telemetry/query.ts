import type { ZodType } from 'zod'
import type { Asker } from '#lib/turns.ts'

export type Settings = Record<string, string | number | boolean>

/** A read: ClickHouse SQL with bound parameters, and the schema of its result. */
export type Query<Result> = {
  query: string
  params?: Record<string, unknown>
  schema: ZodType<Result>
  settings?: Settings
  /** For turns (`take-turns.ts`). Reads of jobs and digest have none. */
  asker?: Asker | undefined
  /** Cancels the read, also at the engine. */
  signal?: AbortSignal | undefined
}
