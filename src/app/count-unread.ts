import type { Viewer } from '#domain/access/viewer.ts'
import { countUnread } from '#domain/alerts/notifications.ts'
import { countUnreadFeedback } from '#domain/feedback/list-feedback.ts'
import type { Unread } from './(app)/[org]/unread.ts'

/** Two counts of the control database, each up to a hundred. */
export async function countAllUnread(viewer: Viewer): Promise<Unread> {
  const [notifications, feedback] = await Promise.all([countUnread(viewer), countUnreadFeedback(viewer)])
  return { notifications, feedback }
}
