/** The state of the routes in a trace, while more of it may arrive. As stored in the control database. */
import { z } from 'zod'
import type { RouteClaim } from './route-claim.ts'

const sample = z.object({
  /** Below zero to take back. */
  weight: z.number(),
  measure: z.string(),
  detail: z.string(),
  value: z.number().nullable(),
  isFailed: z.boolean(),
})

/** Counted already, but what arrives later may say that it belongs to another route. */
const openClaim = z.object({
  claim: z.object({
    kind: z.enum(['view', 'request', 'call', 'page']),
    path: z.string(),
    raw: z.string(),
    route: z.string(),
    certainty: z.enum(['sure', 'doubtful', 'partial', 'none']),
  }) satisfies z.ZodType<RouteClaim>,
  /** The segment of a page view. */
  segmentId: z.string(),
  /** The stored row: a span or an event. '' for what an earlier version counted. */
  rowId: z.string().default(''),
  /** Where it is counted. */
  counted: z.string(),
  source: z.object({
    project_id: z.number(),
    timestamp: z.number(),
    retention_days: z.number(),
    release: z.string(),
    environment: z.string(),
    os_name: z.string(),
    device: z.string(),
    group_hash: z.string(),
    received_at: z.number(),
  }),
  samples: z.array(sample),
})
export type OpenClaim = z.output<typeof openClaim>

const view = z.object({
  segmentId: z.string(),
  raw: z.string(),
  path: z.string(),
  route: z.string(),
  isFinal: z.boolean(),
  /** Microseconds. */
  at: z.number(),
})
type View = z.output<typeof view>

export const traceRoutes = z.object({
  views: z.array(view),
  /** Paths that have no route. */
  missing: z.array(z.string()),
  /** Paths that a server has answered without an error. */
  found: z.array(z.string()),
  open: z.array(openClaim),
})
export type TraceRoutes = z.output<typeof traceRoutes>

export const newTraceRoutes = (): TraceRoutes => ({ views: [], missing: [], found: [], open: [] })

/** Per trace. Beyond these, what is open stays where it is counted. */
const limits = { views: 20, paths: 20, open: 50 }

export function addView({ views }: TraceRoutes, added: View): void {
  const at = views.findIndex(({ segmentId }) => segmentId === added.segmentId)
  if (at !== -1) views[at] = added
  else if (views.length < limits.views) views.push(added)
}

export function addPath(paths: string[], path: string): void {
  if (path !== '' && paths.length < limits.paths && !paths.includes(path)) paths.push(path)
}

export function addOpen({ open }: TraceRoutes, claim: OpenClaim): void {
  if (open.length < limits.open && claim.samples.length > 0) open.push(claim)
}
