const most = 6

/** Round moments between two, in microseconds: 1, 2 or 5 of some power of ten apart. */
export function ticks(fromUs: number, toUs: number): number[] {
  const span = toUs - fromUs
  if (!(span > 0)) return []
  const power = 10 ** Math.floor(Math.log10(span / most))
  const step = [1, 2, 5, 10].map(factor => factor * power).find(each => span / each <= most) ?? span
  const first = Math.ceil(fromUs / step)
  const count = Math.floor(toUs / step) - first + 1
  return Array.from({ length: Math.max(0, count) }, (_, index) => (first + index) * step)
}
