import type { TemplateBody } from './template-body.ts'

/** What the load generator is told. It sends the bodies in turn, each with new ids, and waits for every answer. */
export type LoadPlan = {
  port: number
  path: string
  bodies: TemplateBody[]
  connections: number
  firstSerial: number
  stop: { afterMs: number } | { afterRequests: number }
}

export type LoadResult = { requests: number; acknowledged: number; seconds: number; p50Ms: number; p99Ms: number }
