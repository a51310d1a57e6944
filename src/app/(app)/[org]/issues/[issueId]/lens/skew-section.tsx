import type { Issue } from '#queries/find-issue.ts'
import { listRollout, type Rollout } from '#queries/list-rollout.ts'
import type { Viewer } from '#queries/viewer.ts'
import { FailedPanel } from '#ui/failed-panel.tsx'
import { RolloutChart } from '#ui/lens/rollout-chart.tsx'
import { Section } from '#ui/section.tsx'
import { shorten } from '#ui/shorten.ts'
import { attempt } from '#web/attempt.ts'
import { tellRollout } from './tell-rollout.ts'

type Props = { viewer: Viewer; issue: Issue; lens: { says: string; release: string } }

/** A deploy under open tabs: when it happened, and whether the tabs of the release before it are going away. */
export async function SkewSection({ viewer, issue, lens }: Props) {
  if (lens.release === '')
    return (
      <Section id="rollout" title="Deploy skew" note={lens.says}>
        <p className="t2">
          The events name no release, so all deploys are one issue. With a <code>release</code> in the SDK’s options
          each deploy is an issue of its own, with its rollout.
        </p>
      </Section>
    )
  const rollout = await attempt('rollout', listRollout(viewer, issue, lens.release))
  return (
    <Section id="rollout" title="Rollout" note={`tabs of ${shorten(lens.release, 60)} beside other releases`}>
      {rollout.ok ? (
        <Told rollout={rollout.value} release={lens.release} />
      ) : (
        <FailedPanel what="The rollout" reference={rollout.reference} />
      )}
    </Section>
  )
}

function Told({ rollout, release }: { rollout: Rollout; release: string }) {
  return (
    <>
      <p className="t2 mb-2">{tellRollout(rollout, shorten(release, 60))}</p>
      <RolloutChart rollout={rollout} release={release} />
    </>
  )
}
