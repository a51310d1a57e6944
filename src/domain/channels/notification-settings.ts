/** What members hear of without any rule, and what each has chosen instead. */
import type { AlertMessage } from './message.ts'

/** In the order of the settings page. */
export const notificationTypes = {
  'issue.new': { label: 'New issue', inApp: true, email: true },
  'issue.regressed': { label: 'Regression', inApp: true, email: true },
  'issue.escalating': { label: 'Escalating issue', inApp: true, email: true },
  'issue.assigned': { label: 'Issue assigned to you', inApp: true, email: false },
  'issue.resolved': { label: 'Issue resolved', inApp: false, email: false },
  incident: { label: 'Incident', inApp: true, email: true },
} as const
export type NotificationType = keyof typeof notificationTypes

export const isNotificationType = (text: string): text is NotificationType => Object.hasOwn(notificationTypes, text)

/** The setting that decides about a message. */
export const settingOf = (type: string): NotificationType => {
  if (type.startsWith('incident')) return 'incident'
  return isNotificationType(type) ? type : 'issue.escalating'
}

/**
 * Returns the setting that stops a rule's email to a member when they switch it off; null if no setting applies. The form saves all
 * types together, so "off" isn't a choice for types that are off by default. A message about several things was already filtered for
 * each reader.
 */
export function mutingSettingOf({
  kind,
  type,
  items,
}: Pick<AlertMessage, 'kind' | 'type' | 'items'>): NotificationType | null {
  if ((kind !== 'issue' && kind !== 'incident') || items.length > 0) return null
  const setting = settingOf(type)
  return notificationTypes[setting].email ? setting : null
}
