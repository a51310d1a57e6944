/** How long a number must be without data before that means something. Without the schema, so that pages in the browser can use it. */
import type { Metric } from './metric.ts'

const leastWaitMs = 600_000

export const noDataWaitMs = ({ noDataAfterMs, windowMs }: Pick<Metric, 'noDataAfterMs' | 'windowMs'>): number =>
  noDataAfterMs ?? Math.max(windowMs, leastWaitMs)
