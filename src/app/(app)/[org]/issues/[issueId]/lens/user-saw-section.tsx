import { explainLens } from '#queries/explain-lens.ts'
import type { StoredEvent } from '#queries/find-event.ts'
import type { Issue } from '#queries/find-issue.ts'
import { findTwin } from '#queries/find-twin.ts'
import type { Viewer } from '#queries/viewer.ts'
import { Section } from '#ui/section.tsx'
import { attempt } from '#web/attempt.ts'
import { TwinIssue } from './twin-issue.tsx'
import { UserSaw } from './user-saw.tsx'

type Props = { viewer: Viewer; issue: Issue; event: StoredEvent }

/** Beside a server's error: the browser's report of the same request, where there is one, and the issue that it is in. */
export async function UserSawSection({ viewer, issue, event }: Props) {
  const twin = await attempt('browser event', findTwin(viewer, issue, { of: event, isOnServer: false }))
  if (!twin.ok || twin.value === null) return null
  if (explainLens(twin.value.event.data)?.kind !== 'echo') return null
  const path = `/${viewer.organization.slug}/issues/${twin.value.issue.id}`
  const isAbroad = twin.value.issue.id !== issue.id
  const seenAs = isAbroad ? <TwinIssue says="Seen in browsers as" issue={twin.value.issue} href={path} /> : null
  if (twin.value.isSameTrace)
    return (
      <UserSaw event={twin.value.event} href={`${path}/events/${twin.value.event.event_id}`}>
        {seenAs}
      </UserSaw>
    )
  return seenAs ? (
    <Section id="user-saw" title="What the user saw" note="no browser reported this request">
      {seenAs}
    </Section>
  ) : null
}
