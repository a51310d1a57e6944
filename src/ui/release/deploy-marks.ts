type Deploy = { environment: string; finishedAt: number }

const maxMarks = 4

/** The last deploy to each environment within a chart, from deploys that come newest first. */
export function deployMarks(deploys: readonly Deploy[], { from, to }: { from: number; to: number }) {
  // A map keeps the last of a key.
  const newest = new Map(deploys.toReversed().map(deploy => [deploy.environment, deploy.finishedAt]))
  return [...newest]
    .map(([release, at]) => ({ release, at }))
    .filter(({ at }) => at > from && at < to)
    .slice(0, maxMarks)
}
