import type { ProfileMeasure, RouteProfile } from '#domain/routes/route-profile.ts'
import { type Interval, rateRatio, ratioInterval, shareInterval } from '#lib/confidence.ts'
import { quantileOf, shareAbove } from '#lib/log-histogram.ts'
import { ratedBounds, type VitalName } from '#react/route-sample.ts'
import { routeLimits as limits } from './route-limits.ts'

/** The p75 of a measure at two times. */
export type MeasureChange = { measure: ProfileMeasure; before: number; after: number; strength: number }

/** Whether the p75 has moved: by enough to be felt, and by more than chance. */
export function compareMeasure(
  before: RouteProfile,
  after: RouteProfile,
  measure: ProfileMeasure,
): MeasureChange | null {
  const move = moveOf(before, after, measure, limits.z)
  if (move === null || move.strength <= 0) return null
  const lengthOf = Math.abs(move.after - move.before)
  if (lengthOf < limits.minMove[measure]) return null
  return lengthOf < limits.minMoveShare * Math.max(move.before, move.after) ? null : move
}

/** Whether a change of the p75 that is shown is more than chance: a card colors no other. */
export const isSureMove = (before: RouteProfile, after: RouteProfile, measure: ProfileMeasure): boolean =>
  (moveOf(before, after, measure, limits.shownZ)?.strength ?? 0) > 0

/** A vital of page loads before, as a card shows it beside the one now. */
export const vitalBefore = (before: RouteProfile, after: RouteProfile, name: VitalName) => ({
  p75: before.summary.vitals[name].hard.p75,
  isSure: isSureMove(before, after, name),
})

/**
 * A quarter of the earlier values was above the earlier p75; if the share of later values above it differs for sure, so do the
 * percentiles. The strength is by how much it differs at least, and negative if it may not.
 */
function moveOf(before: RouteProfile, after: RouteProfile, measure: ProfileMeasure, z: number): MeasureChange | null {
  const [earlier, later] = [before.histograms[measure], after.histograms[measure]]
  const [sizeBefore, sizeAfter] = [sizeOf(earlier), sizeOf(later)]
  if (Math.min(sizeBefore, sizeAfter) < limits.minValues) return null
  const bounds = ratedBounds[measure]
  const [from, to] = [quantileOf(earlier, 0.75, bounds), quantileOf(later, 0.75, bounds)]
  if (from === null || to === null) return null
  const usual = intervalOf(shareAbove(earlier, from, bounds), sizeBefore, z)
  const now = intervalOf(shareAbove(later, from, bounds), sizeAfter, z)
  return { measure, before: from, after: to, strength: to > from ? now.low - usual.high : usual.low - now.high }
}

/** One user's page loads resemble each other, so they count as one. */
function sizeOf({ counts, storedShare }: RouteProfile['histograms'][ProfileMeasure]): number {
  return (counts.reduce((sum, count) => sum + count, 0) * storedShare) / limits.visitsPerUser
}

const intervalOf = (share: number, size: number, z: number): Interval => shareInterval(share * size, size, z)

export type RateChange = { before: number; after: number; isUp: boolean; strength: number }

/** Visits or sessions, how many of them were sent, and how many failed. */
export type Failures = { visits: number; storedVisits: number; failures: number }

/** Whether the share of failed visits has changed. `dispersion` is how many failures count as one. */
export function compareFailures(
  before: Failures,
  after: Failures,
  dispersion: number = limits.errorsPerFailure,
): RateChange | null {
  if (Math.min(before.storedVisits, after.storedVisits) < limits.minValues) return null
  if (before.failures + after.failures < limits.minFailures) return null
  const [earlier, later] = [rateOf(before), rateOf(after)]
  const ratio = rateRatio(later, earlier)
  const { low, high } = ratioInterval(later, earlier, { z: limits.z, dispersion })
  const isUp = ratio >= limits.minRatio && low >= limits.minSureRatio
  const isDown = ratio <= 1 / limits.minRatio && high <= 1 / limits.minSureRatio
  if (!isUp && !isDown) return null
  const [from, to] = [earlier.count / earlier.exposure, later.count / later.exposure]
  if (Math.abs(to - from) < limits.minRateMove) return null
  return { before: Math.min(1, from), after: Math.min(1, to), isUp, strength: isUp ? low : 1 / Math.max(high, 1e-9) }
}

const rateOf = ({ failures, visits }: Failures) => ({ count: failures, exposure: visits })

/** Whether more or fewer navigations find their page prefetched, or for any other reason have nothing to fetch. */
export function comparePrefetches(before: RouteProfile, after: RouteProfile): RateChange | null {
  const [earlier, later] = [before, after].map(({ summary }) => {
    const { navigations, arrivals, stored } = summary
    return {
      share: navigations > 0 ? (arrivals.prefetched + arrivals.none) / navigations : 0,
      size: stored.navigations / limits.visitsPerUser,
    }
  })
  if (!earlier || !later || Math.min(earlier.size, later.size) < limits.minValues) return null
  const [usual, now] = [
    intervalOf(earlier.share, earlier.size, limits.z),
    intervalOf(later.share, later.size, limits.z),
  ]
  const isUp = later.share > earlier.share
  const gap = isUp ? now.low - usual.high : usual.low - now.high
  if (gap <= 0 || Math.abs(later.share - earlier.share) < limits.minPrefetchMove) return null
  return { before: earlier.share, after: later.share, isUp, strength: gap }
}
