/**
 * How many times longer `run` takes when its input is eight times as long: about 8 for linear work, about 64 for quadratic work.
 * The shortest run of each size counts. On a busy machine only short runs are undisturbed, so a steep result is measured again in
 * CPU time.
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

/** Shorter times cannot be measured reliably. */
const tooShortMs = 0.5
const maxRounds = 5

/** A factor of about three away from both. */
export const linearGrowth = 24

function timed(run: () => void): number {
  const start = performance.now()
  run()
  return performance.now() - start
}

/** Some kernels count CPU time in ticks of 10 ms. */
const enoughCpuMs = 200

/** CPU time of one run, averaged over enough runs to exceed the tick. */
function cpuMsOf(run: () => void): number {
  const before = process.threadCpuUsage()
  for (let runs = 1; ; runs++) {
    run()
    const { user, system } = process.threadCpuUsage(before)
    const cpuMs = (user + system) / 1_000
    if (cpuMs >= enoughCpuMs) return cpuMs / runs
  }
}
