import type { Metadata } from 'next'
import { listNotificationChoices, listNotifications } from '#domain/alerts/notifications.ts'
import { Section, TopBar } from '#ui/page-parts.tsx'
import { requireViewer } from '#web/viewer.ts'
import { NotificationChoices, ReadButton } from './notification-forms.tsx'
import { NotificationList } from './notification-list.tsx'

export const metadata: Metadata = { title: 'Notifications' }

export default async function NotificationsPage({ params }: { params: Promise<{ org: string }> }) {
  const viewer = await requireViewer((await params).org)
  const { slug } = viewer.organization
  const [notifications, choices] = await Promise.all([listNotifications(viewer), listNotificationChoices(viewer)])
  const hasUnread = notifications.some(({ isRead }) => !isRead)
  return (
    <>
      <TopBar actions={hasUnread ? <ReadButton organizationSlug={slug} upTo={notifications[0]?.id ?? 0} /> : null}>
        <h1>Notifications</h1>
      </TopBar>
      <div className="page-body">
        <NotificationList notifications={notifications} now={viewer.now} />
        <Section
          title="What you hear of"
          note="in all projects of this organization; email follows where mail is set up"
        >
          <NotificationChoices organizationSlug={slug} choices={choices} />
        </Section>
      </div>
    </>
  )
}
