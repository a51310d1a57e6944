/**
 * How many times longer `run` takes when its input is eight times as long: about 8 where work is linear, about 64 where it is quadratic.
 * Each size counts with the shortest of its runs. On a busy machine only short runs are left alone, so what looks steep is measured
 * again in CPU time.
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
  return growth() < linearGrowth ? growth() : cpuMsOf(() => run(size * 8)) / cpuMsOf(() => run(size))
}

/** Milliseconds. What takes less is measured by chance. */
const tooShortMs = 0.5
const maxRounds = 5

/** Between the two, by a factor of about three. */
export const linearGrowth = 24

function timed(run: () => void): number {
  const start = performance.now()
  run()
  return performance.now() - start
}

/** Milliseconds. Some kernels count CPU time in ticks of ten. */
const enoughCpuMs = 200

/** CPU time of one run, from as many as it takes to be told apart from a tick. */
function cpuMsOf(run: () => void): number {
  const before = process.threadCpuUsage()
  for (let runs = 1; ; runs++) {
    run()
    const { user, system } = process.threadCpuUsage(before)
    const cpuMs = (user + system) / 1_000
    if (cpuMs >= enoughCpuMs) return cpuMs / runs
  }
}
