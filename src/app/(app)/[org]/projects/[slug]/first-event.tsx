import { countArrivals } from '#queries/count-arrivals.ts'
import { findLatestIssue } from '#queries/find-latest-issue.ts'
import { listOutcomes } from '#queries/list-outcomes.ts'
import type { ProjectSummary } from '#queries/list-projects.ts'
import type { Viewer } from '#queries/viewer.ts'
import { getRuntime } from '#runtime.ts'
import { Step } from '#ui/step.tsx'
import { attempt } from '#web/attempt.ts'
import { ArrivalLog } from './arrival-log.tsx'
import { ArrivedEvent } from './arrived-event.tsx'
import { WaitingHead } from './waiting-head.tsx'

const dayMs = 24 * 60 * 60_000

/** Waits for the first event, and shows it when it is there. What else has come or was refused stands below it. */
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
  const arrivals = await attempt('arrivals', countArrivals(viewer, { projectId: project.id, since }))
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
    <Step number={step} title="Load a page, or throw on purpose">
      <p>
        Run the app and open a page that throws. To be sure of the way itself, take the <b>curl</b> tab above.
      </p>
      <div className="listen waiting">
        <WaitingHead
          organizationSlug={viewer.organization.slug}
          projectId={project.id}
          host={new URL(getRuntime().config.publicUrl).host}
        />
        {log}
      </div>
      <details className="mt-3 text-ink-2">
        <summary>Nothing after five minutes?</summary>
        <ul className="mt-2 grid gap-1">
          <li>The DSN is another project’s, or its key is switched off.</li>
          <li>The browser blocks the address: use the tunnel of the Next.js tab.</li>
          <li>The SDK drops it: a sample rate of 0, or beforeSend gives back null.</li>
          <li>A proxy in between strips the body or asks for a sign-in.</li>
        </ul>
      </details>
    </Step>
  )
}
