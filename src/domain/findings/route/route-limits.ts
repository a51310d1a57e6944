/** From where on a change of a route or a release is worth a sentence: sure by its interval, and large enough to be felt. */
export const routeLimits = {
  /** Standard errors: a route compares some eight numbers for up to six releases, so that fewer than one in 100 routes is wrong. */
  z: 4,
  /** Of a change that is shown anyway: two intervals that each miss one in 20 are both wrong in fewer than one of 100. */
  shownZ: 1.96,
  /** A user opens a route about three times, with the same device and network. */
  visitsPerUser: 3,
  /** Independent values on both sides. The quarter above the p75 is then at least eight. */
  minValues: 30,
  /** Page loads that were sent: a release with fewer has no p75 to judge it by, only a change. */
  minReleaseLoads: 20,
  /** Milliseconds, and a score: smaller moves are not felt. */
  minMove: { lcp: 150, fcp: 150, inp: 30, ttfb: 80, request: 50, cls: 0.03 },
  /** Histograms are exact to 1.1 %, and users notice about 10 %. */
  minMoveShare: 0.15,
  /** A failing page reports its error more than once, and failures come in bursts. */
  errorsPerFailure: 4,
  /** A session has one failure at most, but a user comes again. */
  sessionsPerUser: 1.5,
  minFailures: 10,
  minRatio: 2,
  minSureRatio: 1.3,
  /** Half a percent of visits. */
  minRateMove: 0.005,
  minPrefetchMove: 0.15,
  /** How many newest releases a change is looked for in. */
  maxSplits: 6,
} as const
