'use server'
import { z } from 'zod'
import { readNotifications, saveNotificationChoices } from '#domain/alerts/notifications.ts'
import { isNotificationType, type NotificationType, notificationTypes } from '#domain/channels/notification-settings.ts'
import { defineAction } from '#web/define-action.ts'
import { formCount } from '#web/form-number.ts'

/** Marks everything that the page shows as read: what has arrived since stays unread. */
export const markRead = defineAction(
  { input: z.object({ upTo: formCount }), verb: 'notification.read' },
  (context, { upTo }, viewer) =>
    readNotifications(context, { organizationId: viewer.organization.id, userId: viewer.user.id, upTo }),
  () => ({ say: 'All notifications are read.' }),
)

const chosen = z
  .union([z.string(), z.array(z.string())])
  .default([])
  .transform(given => [given].flat())
  .pipe(z.array(z.string().refine(isNotificationType, 'Unknown notification. Reload the page and try again.')))

export const chooseNotifications = defineAction(
  { input: z.object({ inApp: chosen, email: chosen }), verb: 'notification.choose' },
  (context, { inApp, email }, viewer) =>
    saveNotificationChoices(context, {
      organizationId: viewer.organization.id,
      userId: viewer.user.id,
      choices: Object.fromEntries(
        (Object.keys(notificationTypes) as NotificationType[]).map(type => [
          type,
          { inApp: inApp.includes(type), email: email.includes(type) },
        ]),
      ),
    }),
  () => ({ say: 'Settings saved.' }),
)
