type Rollout = {
  old: number[]
  fresh: number[]
  failures: number[]
  deploys: { version: string; at: number }[]
}

/** Whether the tabs of an old release are going away, in a sentence or two. */
export function tellRollout({ old, fresh, failures, deploys }: Rollout, release: string): string {
  const total = (list: number[], from = 0): number => list.slice(from).reduce((sum, each) => sum + each, 0)
  if (total(old) + total(fresh) === 0)
    return `No page view or session of any release is known in this time, so it cannot be told how many tabs of ${release} are left.`
  const recent = Math.floor(old.length * 0.75)
  const active = total(old, recent) + total(fresh, recent)
  const share = active === 0 ? 0 : total(old, recent) / active
  const newer = deploys.at(-1)
  const after = newer
    ? ` ${newer.version} came after it.`
    : ' No newer release has been seen: look for parts that were never uploaded.'
  if (active === 0) return `Nobody has been seen lately, on any release.${after}`
  if (total(old, recent) === 0 && total(failures, recent) === 0)
    return `The tabs of ${release} have died out: none was seen in the last quarter of this time.${after}`
  const percent = share < 0.01 ? 'below 1 %' : `${Math.round(share * 100)} %`
  const isFalling = share < 0.5 * (total(old) / (total(old) + total(fresh))) || share < 0.1
  const verdict = isFalling ? `The tabs of ${release} are dying out` : `The tabs of ${release} are not dying out yet`
  return `${verdict}: they are ${percent} of the latest page views and sessions.${after}`
}
