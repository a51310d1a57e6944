import type { Viewer } from '#domain/access/viewer.ts'
import { listRollout, type Rollout } from '#domain/events/list-rollout.ts'
import type { Issue } from '#domain/issues/find-issue.ts'
import { FailedPanel } from '#ui/blank.tsx'
import { Section } from '#ui/page-parts.tsx'
import { RolloutChart } from '#ui/react/rollout-chart.tsx'
import { shorten } from '#ui/shorten.ts'
import { attempt } from '#web/attempt.ts'

type Props = { viewer: Viewer; issue: Issue; insight: { says: string; release: string } }

/** A deploy under open tabs: when it happened, and whether the tabs of the release before it are going away. */
export async function SkewSection({ viewer, issue, insight }: Props) {
  if (insight.release === '')
    return (
      <Section id="rollout" title="Deploy skew" note={insight.says}>
        <p className="t2">
          The events name no release, so all deploys are one issue. With a <code>release</code> in the SDK’s options
          each deploy is an issue of its own, with its rollout.
        </p>
      </Section>
    )
  const rollout = await attempt('rollout', listRollout(viewer, issue, insight.release))
  return (
    <Section id="rollout" title="Rollout" note={`tabs of ${shorten(insight.release, 60)} beside other releases`}>
      {rollout.ok ? (
        <Told rollout={rollout.value} release={insight.release} />
      ) : (
        <FailedPanel what="The rollout" reference={rollout.reference} />
      )}
    </Section>
  )
}

function Told({ rollout, release }: { rollout: Rollout; release: string }) {
  return (
    <>
      <p className="t2 mb-2">{describeRollout(rollout, shorten(release, 60))}</p>
      <RolloutChart rollout={rollout} release={release} />
    </>
  )
}

/** Whether the tabs of an old release are going away, in a sentence or two. */
export function describeRollout(
  { old, fresh, failures, deploys }: Pick<Rollout, 'old' | 'fresh' | 'failures' | 'deploys'>,
  release: string,
): string {
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
