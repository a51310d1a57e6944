import type { Viewer } from '#domain/access/viewer.ts'
import { hasFeedback } from '#domain/feedback/find-related.ts'
import type { Issue } from '#domain/issues/find-issue.ts'
import { listIssueFeedback } from '#domain/issues/list-issue-activity.ts'
import { feedbackKind } from '#lib/event-kind.ts'
import { FailedPanel } from '#ui/blank.tsx'
import { Link } from '#ui/link.tsx'
import { attempt } from '#web/attempt.ts'
import { nameWriter } from './name-writer.ts'
import { SimilarReports } from './similar-reports.tsx'

const mostShown = 5

/** On an issue page: what users wrote about the error; for feedback, the way to its own page. */
export async function IssueFeedback({ viewer, issue }: { viewer: Viewer; issue: Issue }) {
  const { slug } = viewer.organization
  if (issue.kind === feedbackKind)
    return (
      <p className="sec">
        A user wrote this.{' '}
        <Link className="link" href={`/${slug}/feedback/${issue.id}`}>
          Open it in Feedback
        </Link>
      </p>
    )
  if (!(await hasFeedback(viewer, issue.projectId))) return null
  const found = await attempt('feedback', listIssueFeedback(viewer, issue, { limit: mostShown }))
  if (!found.ok) return <FailedPanel what="Feedback" reference={found.reference} />
  return (
    <SimilarReports
      title="What users wrote"
      reports={found.value.map(({ id, name, email, message, at }) => ({
        id,
        who: nameWriter({ name, email }),
        message,
        at,
        href: `/${slug}/feedback/events/${id}`,
      }))}
    />
  )
}
