export type RouteFilter = {
  /** None means all of the viewer's. */
  projectIds?: readonly number[] | undefined
  environment?: string | undefined
  rangeMs: number
}
