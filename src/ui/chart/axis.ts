/** The top of a y-axis: the next round number, whose half is easy to read too. */
export function axisTop(max: number): number {
  if (!(max > 0)) return 1
  const power = 10 ** Math.floor(Math.log10(max))
  const factor = [1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10].find(each => each * power >= max * (1 - 1e-9)) ?? 10
  return Number((factor * power).toPrecision(6))
}

/** For counts, which have no halves: 1, 2 and every other even number are good tops. */
export function countAxisTop(max: number): number {
  const top = Math.ceil(axisTop(Math.max(1, max)))
  return top <= 2 || top % 2 === 0 ? top : top + 1
}

/** The bucket at a share (0 to 1) of the width. */
export const bucketAt = (share: number, count: number): number =>
  Math.min(count - 1, Math.max(0, Math.floor(share * count)))
