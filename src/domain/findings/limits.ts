const hourMs = 3_600_000
const dayMs = 24 * hourMs

/**
 * From where on something stands out. A wrong sentence costs more trust than a missing one, so each limit asks for two things:
 * the interval of the number excludes chance (`z`), and its effect is large enough to matter.
 */
export const findingLimits = {
  /** Standard errors. One comparison errs once in 1,000 times. */
  z: 3.3,
  /** An issue compares up to 150 tag values, so each may only err once in 16,000 times: together less than once in 100. */
  zOfMany: 4,
  /** Events. Of fewer, everybody can look at each. */
  minEvents: 10,
  /** Events of a new issue that may be called the effect of a deploy. */
  minFirstEvents: 5,

  /** A change by less than double is within what traffic does by itself over a day or a week. */
  minRatio: 2,
  /** And it is at least this much, also at the unfavorable end of its interval. */
  minSureRatio: 1.5,
  /** The time whose rate is the usual one. A whole week, because weekends differ. */
  baseMs: 7 * dayMs,
  /** Less history has no usual rate. */
  minBaseMs: 3 * dayMs,
  /** A rise in the whole hour before a deploy, or in the six hours, did not come with the deploy. */
  justBeforeMs: [2 * hourMs, 6 * hourMs],
  /** Less time after a deploy says nothing yet. */
  minAfterMs: 15 * 60_000,
  /** Expected events: the chance that none comes although nothing has changed is e⁻⁷, one in 1,000. */
  minMissing: 7,

  /** A new issue belongs to a deploy that was at most this long before. */
  afterDeployMs: hourMs,
  /** The chance that an unrelated issue begins so shortly after a deploy, and only in its release. */
  maxChance: 0.01,

  /** Points of a share. The tag table highlights the same difference. */
  minShareGap: 0.2,
  /** Between the intervals of both shares. */
  minSureGap: 0.1,
  /** "Most events": a smaller share does not say for whom. */
  minShare: 0.5,
  /** A value that the issue lacks is worth a word if it is usually this frequent. */
  minMissingShare: 0.2,
  /** A tag that fewer events have says nothing about the issue. */
  minCoverage: 0.9,
  /** Events of the project, to know what is usual. */
  minUsual: 200,
  /** From this share on, events come from one user. */
  oneUserShare: 0.98,
  /** Different hours: the events of one visit have one user anyway. */
  minHours: 3,
} as const
