import { explainLens } from '#queries/explain-lens.ts'
import type { StoredEvent } from '#queries/find-event.ts'
import type { Issue } from '#queries/find-issue.ts'
import { findTwin } from '#queries/find-twin.ts'
import type { Viewer } from '#queries/viewer.ts'
import { attempt } from '#web/attempt.ts'
import { UserSaw } from './user-saw.tsx'

type Props = { viewer: Viewer; issue: Issue; event: StoredEvent }

/** Beside a server's error: the browser's report of the same request, where there is one. */
export async function UserSawSection({ viewer, issue, event }: Props) {
  const twin = await attempt('browser event', findTwin(viewer, issue, { of: event, isOnServer: false }))
  if (!twin.ok || !twin.value?.isSameTrace) return null
  if (explainLens(twin.value.event.data)?.kind !== 'echo') return null
  const href = `/${viewer.organization.slug}/issues/${issue.id}/events/${twin.value.event.event_id}`
  return <UserSaw event={twin.value.event} href={href} />
}
