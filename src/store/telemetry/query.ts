import type { ZodType } from 'zod'

export type Settings = Record<string, string | number | boolean>

/** A read: ClickHouse SQL with bound parameters, and the schema of its result. */
export type Query<Result> = {
  query: string
  params?: Record<string, unknown>
  schema: ZodType<Result>
  settings?: Settings
}
