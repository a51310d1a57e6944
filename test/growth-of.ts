/**
 * How many times more CPU time `run` takes when its input is eight times as long: about 8 where work is linear, about 64 where it is quadratic.
 * Each size counts with the shortest of its runs, which collections of garbage disturb least.
 */
export function growthOf(run: (size: number) => void, size: number): number {
  let [short, long] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  const growth = (): number => long / Math.max(short, tooShortMs)
  for (let round = 0; round < maxRounds && !(growth() < linearGrowth); round++) {
    short = Math.min(
      short,
      timed(() => run(size)),
    )
    long = Math.min(
      long,
      timed(() => run(size * 8)),
    )
  }
  return growth()
}

/** Milliseconds. What takes less is measured by chance. */
const tooShortMs = 0.5
const maxRounds = 10

/** Between the two, by a factor of about three. */
export const linearGrowth = 24

function timed(run: () => void): number {
  const before = process.threadCpuUsage()
  run()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}
