import { Suspense } from 'react'
import type { Viewer } from '#domain/access/viewer.ts'
import { listRollout, type Rollout } from '#domain/events/list-rollout.ts'
import type { Issue } from '#domain/issues/find-issue.ts'
import { FailedPanel } from '#ui/blank.tsx'
import { Section } from '#ui/page-parts.tsx'
import { RolloutChart } from '#ui/react/rollout-chart.tsx'
import { shorten } from '#ui/shorten.ts'
import { attempt } from '#web/attempt.ts'
import styles from './skew-section.module.css'

type Props = { viewer: Viewer; issue: Issue; insight: { description: string; release: string } }

/** Deploy skew: when the deploy happened, and whether tabs on the previous release are going away. */
export function SkewSection({ viewer, issue, insight }: Props) {
  if (insight.release === '')
    return (
      <Section id="rollout" title="Deploy skew" note={insight.description}>
        <p className="t2">
          These events have no release, so all deploys share one issue. Set <code>release</code> in the SDK options to
          get one issue per deploy, with its rollout.
        </p>
      </Section>
    )
  return (
    <Section id="rollout" title="Rollout" note={`tabs on ${shorten(insight.release, 60)} compared with other releases`}>
      <div className={styles.rollout}>
        <Suspense fallback={<div aria-busy="true" />}>
          <RolloutSummary viewer={viewer} issue={issue} release={insight.release} />
        </Suspense>
      </div>
    </Section>
  )
}

type RolloutSummaryProps = Pick<Props, 'viewer' | 'issue'> & { release: string }

/** All page views of the time are counted for it, so the stack does not wait. */
async function RolloutSummary({ viewer, issue, release }: RolloutSummaryProps) {
  const rollout = await attempt('rollout', listRollout(viewer, issue, release))
  if (!rollout.ok) return <FailedPanel what="Rollout" reference={rollout.reference} />
  return (
    <>
      <p className="intro">{describeRollout(rollout.value, shorten(release, 60))}</p>
      <RolloutChart rollout={rollout.value} release={release} />
    </>
  )
}

/** Says in a sentence or two whether tabs on an old release are going away. */
export function describeRollout(
  { old, fresh, failures, deploys }: Pick<Rollout, 'old' | 'fresh' | 'failures' | 'deploys'>,
  release: string,
): string {
  const total = (list: number[], from = 0): number => list.slice(from).reduce((sum, each) => sum + each, 0)
  if (total(old) + total(fresh) === 0)
    return `No page views or sessions in this time range, so the number of tabs still on ${release} is unknown.`
  const recent = Math.floor(old.length * 0.75)
  const active = total(old, recent) + total(fresh, recent)
  const share = active === 0 ? 0 : total(old, recent) / active
  const newer = deploys.at(-1)
  const after = newer
    ? ` ${newer.version} was deployed after it.`
    : ' No newer release has been seen: check whether all chunks were deployed.'
  if (active === 0) return `No recent page views or sessions on any release.${after}`
  if (total(old, recent) === 0 && total(failures, recent) === 0)
    return `Tabs on ${release} are gone: none was seen in the last quarter of this time range.${after}`
  const percent = share < 0.01 ? 'below 1 %' : `${Math.round(share * 100)} %`
  const isFalling = share < 0.5 * (total(old) / (total(old) + total(fresh))) || share < 0.1
  return `Tabs on ${release} are ${isFalling ? 'going away' : 'not going away yet'}: ${percent} of recent page views and sessions.${after}`
}
