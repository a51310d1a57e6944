import type { Viewer } from '#domain/access/viewer.ts'
import { findLatestIssue } from '#domain/issues/find-issue.ts'
import type { IssueSummary } from '#domain/issues/issue-totals.ts'
import { listOutcomes, type OutcomeTotal } from '#domain/projects/list-outcomes.ts'
import { countProjectItems, type ProjectSummary } from '#domain/projects/list-projects.ts'
import { getRuntime } from '#runtime.ts'
import { formatCount } from '#ui/format.ts'
import { Level } from '#ui/level.tsx'
import { Link } from '#ui/link.tsx'
import { describeOutcome } from '#ui/outcome-label.ts'
import { Step } from '#ui/page-parts.tsx'
import { shorten, splitTitle } from '#ui/shorten.ts'
import { Ago } from '#ui/time/ago.tsx'
import { attempt } from '#web/attempt.ts'
import { WaitingHead } from './waiting-head.tsx'

const dayMs = 24 * 60 * 60_000

/** Waits for the first event and shows it when it arrives, with everything else that was received or rejected. */
export async function FirstEvent({
  viewer,
  project,
  step,
}: {
  viewer: Viewer
  project: ProjectSummary
  step: number | null
}) {
  const since = viewer.now - dayMs
  const issue = project.eventCount > 0 ? await findLatestIssue(viewer, project.id) : null
  const arrivals = await attempt('arrivals', countProjectItems(viewer, { projectId: project.id, since }))
  const outcomes = await attempt('outcomes', listOutcomes(viewer, { projectId: project.id, since }))
  const log = (
    <ArrivalLog
      arrivals={arrivals.ok ? arrivals.value : []}
      outcomes={outcomes.ok ? outcomes.value : []}
      isWaiting={!issue}
    />
  )
  if (issue) {
    return (
      <Step number={step} isDone title="Events are arriving">
        <div className="listen">
          <ArrivedEvent issue={issue} href={`/${viewer.organization.slug}/issues/${issue.id}`} now={viewer.now} />
          {log}
        </div>
      </Step>
    )
  }
  return (
    <Step number={step} title="Send a test error">
      <p>
        Run your app and open a page that throws. To test the connection alone, use the <b>curl</b> tab above.
      </p>
      <div className="listen waiting">
        <WaitingHead
          organizationSlug={viewer.organization.slug}
          projectId={project.id}
          host={new URL(getRuntime().config.publicUrl).host}
        />
        {log}
      </div>
      <details className="silence">
        <summary>Nothing after five minutes?</summary>
        <ul>
          <li>The DSN belongs to another project, or its key is disabled.</li>
          <li>The browser blocks the request: use the tunnel from the tab of your framework.</li>
          <li>The SDK drops the event: the sample rate is 0, or beforeSend returns null.</li>
          <li>A proxy strips the body or asks for a sign-in.</li>
        </ul>
      </details>
    </Step>
  )
}

function ArrivedEvent({ issue, href, now }: { issue: IssueSummary; href: string; now: number }) {
  const { type, message } = splitTitle(shorten(issue.title, 200))
  return (
    <Link className="hd" href={href}>
      <Level level={issue.level} />
      <span className="about">
        <span className="tl">{type}</span> <span>{message}</span>
        <span className="sub facts-line">
          <span>{issue.shortId}</span>
          <span className="mono cut">{shorten(issue.culprit, 120)}</span>
        </span>
      </span>
      <span className="r">
        <Ago at={issue.lastSeen} now={now} />
        <br />
        <span className="link">Open issue</span>
      </span>
    </Link>
  )
}

type Props = { arrivals: { kind: string; quantity: number }[]; outcomes: OutcomeTotal[]; isWaiting: boolean }
const maxOutcomes = 8

/** Items received in the last day, and items that were dropped or rejected, with the reason. */
function ArrivalLog({ arrivals, outcomes, isWaiting }: Props) {
  return (
    <ol aria-label="Last 24 hours">
      {arrivals.map(({ kind, quantity }) => (
        <li key={kind}>
          <span className="good">ok</span>
          <span className="cut">
            {formatCount(quantity)} {kind}
            {quantity === 1 ? '' : 's'} received
          </span>
          <span className="t3">last 24 h</span>
        </li>
      ))}
      {outcomes.slice(0, maxOutcomes).map(({ category, outcome, reason, quantity }) => (
        <li key={`${category} ${outcome} ${reason}`}>
          <span className="meh">{describeOutcome({ outcome, reason }).short}</span>
          <span className="cut">
            {formatCount(quantity)} × {category} {describeOutcome({ outcome, reason }).label}:{' '}
            {describeOutcome({ outcome, reason }).reason}
          </span>
          <span className="t3">last 24 h</span>
        </li>
      ))}
      {isWaiting ? (
        <li>
          <span className="t3">waiting</span>
          <span className="cut">no errors yet</span>
          <span />
        </li>
      ) : null}
    </ol>
  )
}
